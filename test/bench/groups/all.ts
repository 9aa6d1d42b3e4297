import type { Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { boardRows } from "./board.ts"
import { boardDoorRows } from "./board-doors.ts"
import { budgetRows } from "./budget.ts"
import { clientRows } from "./clients.ts"
import { coldStartRows } from "./cold-start.ts"
import { documentRows } from "./documents.ts"
import { gateRows, httpRows } from "./http.ts"
import { jobLogRows } from "./job-logs.ts"
import { jobRowRows } from "./job-rows.ts"
import { jobRows } from "./jobs.ts"
import { kernelRows } from "./kernel.ts"
import { ledgerRows } from "./ledger.ts"
import { floodRows, liveShellRows, manyShellsRows, shellDoorRows } from "./live-shells.ts"
import { listRows, mcpHttpRows, mcpStdioRows } from "./mcp.ts"
import { redactionRows } from "./redaction.ts"
import { sessionRows } from "./sessions.ts"
import { shellRows } from "./shell.ts"
import { shellLatencyRows } from "./shell-latency.ts"
import { waitRows } from "./waits.ts"

/** Measures some rows; runs in a process of its own. */
export type Group = (bench: Bench) => Promise<readonly Row[]>

/** All groups in the order of the table. */
export const GROUPS: Readonly<Record<string, Group>> = {
  http: httpRows,
  gate: gateRows,
  "mcp-http": mcpHttpRows,
  "mcp-stdio": mcpStdioRows,
  "mcp-list": listRows,
  kernel: kernelRows,
  ledger: ledgerRows,
  sessions: sessionRows,
  board: boardRows,
  "board-doors": boardDoorRows,
  waits: waitRows,
  shell: shellRows,
  jobs: jobRows,
  "job-logs": jobLogRows,
  "job-rows": jobRowRows,
  "live-shells": liveShellRows,
  "shell-doors": shellDoorRows,
  "shell-latency": shellLatencyRows,
  "many-shells": manyShellsRows,
  flood: floodRows,
  "cold-start": coldStartRows,
  redaction: redactionRows,
  budget: budgetRows,
  documents: documentRows,
  clients: clientRows,
}
