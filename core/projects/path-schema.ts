import { hasControlCharacter, textSchema } from "../kernel/text-schema.ts"

const MAX_BYTES = 4096

/** An absolute path in inputs: 1..4096 bytes, without control characters (spec kernel.md §9, workflow.md §2.1). */
export const absolutePathSchema = textSchema(1, MAX_BYTES).check((context) => {
  const input = context.value
  if (Buffer.byteLength(input, "utf8") > MAX_BYTES) {
    context.issues.push({ code: "too_big", origin: "string", maximum: MAX_BYTES, inclusive: true, input })
  } else if (!input.startsWith("/") || hasControlCharacter(input)) {
    context.issues.push({ code: "invalid_format", format: "absolute_path", input })
  }
})
