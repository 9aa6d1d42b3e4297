import { hasControlCharacter, LINE_END, textSchema } from "../kernel/text-schema.ts"

/** A title in inputs: 1..200 characters, one line, not only white space (spec sessions.md §6). */
export const titleInputSchema = textSchema(1, 200).check((context) => {
  const input = context.value
  if (input.trim() === "") {
    context.issues.push({ code: "too_small", origin: "string", minimum: 1, inclusive: true, input })
  } else if (hasControlCharacter(input.trim()) || LINE_END.test(input.trim())) {
    context.issues.push({ code: "invalid_format", format: "one_line", input })
  }
})
