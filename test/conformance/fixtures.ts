import {
  type CallToolResult,
  type ContentBlock,
  type ListToolsResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server"
import type { McpHandlers } from "../../adapters/mcp/index.ts"

/** The smallest PNG: one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
/** A WAV file without a sample. */
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

const text = (words: string): ContentBlock => ({ type: "text", text: words })
const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" }
const audio: ContentBlock = { type: "audio", data: WAV, mimeType: "audio/wav" }
const resource: ContentBlock = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
}

type Fixture = (context: ServerContext) => Promise<CallToolResult>

const says =
  (...content: readonly ContentBlock[]): Fixture =>
  async () => ({ content: [...content] })

/** What the public suite calls, by the names that it chose (spec doors.md §7.3). The product knows none of them. */
const FIXTURES: ReadonlyMap<string, Fixture> = new Map<string, Fixture>([
  ["test_simple_text", says(text("This is a simple text response for testing."))],
  ["test_image_content", says(image)],
  ["test_audio_content", says(audio)],
  ["test_embedded_resource", says(resource)],
  ["test_multiple_content_types", says(text("Multiple content types test:"), image, resource)],
  [
    "test_error_handling",
    async () => ({ content: [text("This tool intentionally returns an error for testing")], isError: true }),
  ],
  ["test_tool_with_progress", progressing],
  ["test_missing_capability", needsSampling],
  ["test_streaming_elicitation", says(text("Nothing was asked."))],
  ["test_logging_tool", says(text("Nothing was logged."))],
  ["test_trigger_tool_change", says(text("A surface is fixed: nothing changed."))],
])

/** Lists the fixtures after the product's tools and answers their calls at protocol level; all else is the product's. */
export function withFixtures(product: McpHandlers): McpHandlers {
  return {
    async listTools() {
      const listed: ListToolsResult = await product.listTools()
      const entries = [...FIXTURES.keys()].map((name) => ({
        name,
        description: "A fixture of the conformance suite.",
        inputSchema: { type: "object" as const, properties: {} },
      }))
      return { ...listed, tools: [...listed.tools, ...entries] }
    },
    async callTool(request, context) {
      const fixture = FIXTURES.get(request.params.name)
      return fixture === undefined ? await product.callTool(request, context) : await fixture(context)
    },
  }
}

async function progressing(context: ServerContext): Promise<CallToolResult> {
  const progressToken = context.mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken === undefined) break
    await context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { content: [text(String(progressToken ?? "no token"))] }
}

async function needsSampling(context: ServerContext): Promise<CallToolResult> {
  const declared = context.mcpReq._meta?.["io.modelcontextprotocol/clientCapabilities"]
  if (typeof declared === "object" && declared !== null && "sampling" in declared)
    return { content: [text("declared")] }
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
}
