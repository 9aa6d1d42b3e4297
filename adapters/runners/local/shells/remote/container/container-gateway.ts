import { ToolError } from "../../../../../../core/kernel/error.ts"
import type { Gateway } from "../gateway.ts"
import { type ChannelCommand, runChannel } from "../relay/channel.ts"
import { TargetGone } from "../relay/tether.ts"
import type { EngineName } from "./engine.ts"
import { type ContainerFacts, type ContainerLife, containerRefusal, INSPECT_FORMAT, readInspect } from "./inspect.ts"

const INSPECT_MS = 5000
const CONTAINER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/

/** The way into one container by `exec -i` of the engine's client (spec shells.md §9.3). Throws its refusals. */
export async function openContainerGateway(
  container: string,
  ports: {
    readonly engine: EngineName
    readonly environment: Readonly<Record<string, string>>
    /** Of a container that was entered before: what became of it is told as it is looked for. */
    readonly life?: ContainerLife
  },
): Promise<Gateway> {
  if (!CONTAINER.test(container)) throw containerRefusal({ kind: "missing" })
  let { life } = ports

  const client = (args: readonly string[]): ChannelCommand => ({
    program: ports.engine,
    args,
    env: ports.environment,
  })

  async function look(): Promise<ContainerFacts> {
    const asked = client(["inspect", "--type", "container", "--format", INSPECT_FORMAT, container])
    const answer = await runChannel(asked, { timeoutMs: INSPECT_MS })
    return readInspect({ ...answer, stdout: answer.stdout.toString("utf8") })
  }

  /** `exec` of the life that is known; another one is another target. */
  async function enter(): Promise<ChannelCommand> {
    const facts = await look()
    if (facts.kind === "running" && life === undefined) life = facts.life
    if (facts.kind === "running" && isSame(facts.life, life)) return client(["exec", "-i", facts.life.id, "sh"])
    if (life === undefined && facts.kind !== "running") throw containerRefusal(facts)
    if (facts.kind === "missing" || (facts.kind === "running" && facts.life.id !== life?.id)) {
      throw new TargetGone("container_gone")
    }
    if (facts.kind === "running") throw new TargetGone("container_restarted")
    throw containerRefusal(facts)
  }

  if (life === undefined) {
    const first = await look()
    if (first.kind !== "running") throw containerRefusal(first)
  }
  return {
    get life() {
      return life
    },
    link: enter,
    side: enter,
    isHealthy: async () => {
      const facts = await look()
      return facts.kind === "running" && isSame(facts.life, life)
    },
    dropped: () => undefined,
    renew() {
      life = undefined
    },
    explain: ({ code }) =>
      new ToolError(
        "shell_start_failed",
        code === 126 || code === 127
          ? "The container has no sh that can be run. A shell needs one."
          : "The engine could not run sh in the container. Check that the container works.",
        { details: { phase: "shell" }, executionState: "not_started" },
      ),
    close: () => undefined,
  }
}

const isSame = (one: ContainerLife, other: ContainerLife | undefined): boolean =>
  one.id === other?.id && one.startedAt === other.startedAt
