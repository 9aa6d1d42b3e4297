import type { CallOptions, Harness } from "../../support/harness.ts"

/** A free shell of `alice` and how to run commands in it. */
export interface FreeShell {
  readonly id: string
  /** The output of a command that must succeed. */
  run(command: string, more?: object, how?: CallOptions): Promise<Record<string, unknown>>
  /** Whatever the command answers. */
  call(command: string, more?: object, how?: CallOptions): ReturnType<Harness["call"]>
  fails(command: string, more?: object, how?: CallOptions): ReturnType<Harness["fails"]>
}

/** Opens one. */
export async function freeShell(harness: Harness, input: object = {}): Promise<FreeShell> {
  const { session_id } = await harness.ok("session_create", { transport: "local", cwd: harness.home, ...input })
  const id = String(session_id)
  const withText = (command: string, more: object = {}) => ({ session_id: id, command, ...more })
  return {
    id,
    run: (command, more, how) => harness.ok("session_exec", withText(command, more), how),
    call: (command, more, how) => harness.call("session_exec", withText(command, more), how),
    fails: (command, more, how) => harness.fails("session_exec", withText(command, more), how),
  }
}

/** A Session of a Project with its live shell. */
export interface BoundShell {
  readonly project: string
  readonly root: string
  readonly session: string
  readonly id: string
  /** What addresses the shell. */
  readonly address: { readonly project: string; readonly session_id: string; readonly shell_id: string }
  run(command: string, more?: object, how?: CallOptions): Promise<Record<string, unknown>>
  call(command: string, more?: object, how?: CallOptions): ReturnType<Harness["call"]>
  fails(command: string, more?: object, how?: CallOptions): ReturnType<Harness["fails"]>
}

/** Registers a Project, starts a Session in it and opens its shell. */
export async function boundShell(harness: Harness, name: string, input: object = {}): Promise<BoundShell> {
  const { project, root } = await harness.project(name)
  const session = await harness.session({ project })
  const opened = await harness.ok("open_session_shell", { project, session_id: session, ...input })
  const id = String(opened.shell_id)
  const address = { project, session_id: session, shell_id: id }
  return {
    project,
    root,
    session,
    id,
    address,
    run: (command, more, how) => harness.ok("session_shell_exec", { ...address, command, ...more }, how),
    call: (command, more, how) => harness.call("session_shell_exec", { ...address, command, ...more }, how),
    fails: (command, more, how) => harness.fails("session_shell_exec", { ...address, command, ...more }, how),
  }
}
