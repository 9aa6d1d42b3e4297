import { closeSessionShell } from "./bound-close-tool.ts"
import { sessionShellExec } from "./bound-exec-tool.ts"
import { openSessionShell } from "./bound-open-tool.ts"
import { sessionShellStatus } from "./bound-status-tool.ts"
import { sessionCheckpoint, sessionCheckpoints, sessionRestore } from "./checkpoint-tools.ts"
import { sessionCreate } from "./create-tool.ts"
import { sessionDestroy } from "./destroy-tool.ts"
import { sessionExec } from "./free-exec-tool.ts"
import { sessionList } from "./list-tool.ts"

/** The tools of live shells (spec shells.md §10–§12), in catalogue order. */
export const shellTools = [
  openSessionShell,
  sessionShellExec,
  sessionShellStatus,
  closeSessionShell,
  sessionCreate,
  sessionExec,
  sessionList,
  sessionCheckpoints,
  sessionCheckpoint,
  sessionDestroy,
  sessionRestore,
] as const
