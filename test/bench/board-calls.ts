import type { Call } from "../../core/kernel/call.ts"
import type { AnyToolDefinition } from "../../core/kernel/definition.ts"
import { loadBoardKeys, loadIds, loadMessageTools, loadSecrets, loadStorage } from "./product.ts"
import type { Bench } from "./scope.ts"

/** The board's operations over one open store, as their tools run them, without the pipeline round them. */
export interface BoardCalls {
  readonly store: Call["ports"]["store"]
  post(input: object): Promise<Record<string, unknown>>
  complete(input: object): Promise<Record<string, unknown>>
  assignment(input: object): Promise<Record<string, unknown>>
  observe(input: object): Promise<Record<string, unknown>>
}

/** Opens the store of a data directory. */
export async function openBoardCalls(bench: Bench, dataDir: string): Promise<BoardCalls> {
  const [{ openStore }, { createIds }, { createSecretRegistry }, { messageTools }, { createBoardKeyring }] =
    await Promise.all([loadStorage(), loadIds(), loadSecrets(), loadMessageTools(), loadBoardKeys()])
  const store = await openStore({ dataDir })
  bench.undo(() => store.close())
  const call = handlerCall({
    store,
    ids: createIds(),
    secrets: createSecretRegistry(),
    boards: createBoardKeyring(store),
    signals: { notify: () => undefined },
    clock: { now: Date.now, monotonic: () => performance.now() },
  })
  const tools: readonly AnyToolDefinition[] = messageTools
  const of = (name: string) => {
    const tool = tools.find((candidate) => candidate.name === name)
    if (tool === undefined) throw new Error(`There is no tool ${name}.`)
    return async (input: object): Promise<Record<string, unknown>> => ({
      ...(await tool.handler(tool.input.parse(input), call)),
    })
  }
  return {
    store,
    post: of("post_session_message"),
    complete: of("complete_session_message"),
    assignment: of("get_session_assignment"),
    observe: of("observe_session_messages"),
  }
}

type HandlerCall = Parameters<AnyToolDefinition["handler"]>[1]

type Ports = Pick<Call["ports"], "store" | "ids" | "secrets" | "boards"> & {
  readonly signals: Pick<Call["ports"]["signals"], "notify">
  readonly clock: Pick<Call["ports"]["clock"], "now" | "monotonic">
}

/** What these handlers use of a call; they ask for nothing else, and a new wish shows as a fault of the bench. */
function handlerCall(ports: Ports): HandlerCall {
  const used = {
    ports,
    recorder: undefined,
    budget: { chars: 90_000 },
    now: Date.now,
    commit: (work: Parameters<HandlerCall["commit"]>[0]) => ports.store.write(work),
  }
  const isCall = (value: object): value is HandlerCall => "commit" in value
  if (!isCall(used)) throw new Error("This is no call.")
  return used
}
