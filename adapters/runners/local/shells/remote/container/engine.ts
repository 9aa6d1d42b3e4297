import { ToolError } from "../../../../../../core/kernel/error.ts"
import { findProgram } from "../../../host/program.ts"
import { runChannel } from "../relay/channel.ts"

/** A command-line client that answers for its engine. */
export type EngineName = "docker" | "podman"

const ENGINES = ["docker", "podman"] as const
const ASK_MS = 5000

/** The engines whose client and daemon answer, docker first. */
export async function answeringEngines(
  environment: Readonly<Record<string, string>>,
  wanted: readonly EngineName[] = ENGINES,
): Promise<readonly EngineName[]> {
  const answers = await Promise.all(
    wanted.map(async (engine) => {
      if (findProgram(engine, environment.PATH ?? "") === undefined) return []
      const asked = { program: engine, args: ["ps", "-q"], env: environment }
      const { code } = await runChannel(asked, { timeoutMs: ASK_MS })
      return code === 0 ? [engine] : []
    }),
  )
  return answers.flat()
}

/** The configured engine, or the first that answers. Throws `capability_unavailable`. */
export async function chooseEngine(
  environment: Readonly<Record<string, string>>,
  configured: EngineName | undefined,
): Promise<EngineName> {
  if (configured !== undefined) return configured
  const [first] = await answeringEngines(environment)
  if (first !== undefined) return first
  throw new ToolError("capability_unavailable", "Neither docker nor podman answers here. Start one of them.", {
    details: { reason: "container_engine" },
    executionState: "not_started",
  })
}
