import { type ListedSessionView, listedSessionViews } from "../../../core/sessions/list.ts"
import type { ListedSession, SessionFilter } from "../../../core/sessions/store.ts"
import { ConfigError } from "../../config/config-error.ts"
import { table } from "../terminal.ts"
import type { SessionDesk } from "./desk.ts"
import type { Look, Paint } from "./paint.ts"
import { oneLine, timeText } from "./paint.ts"

/** A Session in the operator's list. */
export interface OperatorRow extends ListedSessionView {
  readonly owner: string
}

/** Which Sessions the operator asked for. */
export interface OperatorList {
  readonly project?: string
  readonly lifecycle?: "active" | "closed"
  readonly limit: number
}

const ownerOf = ({ row }: ListedSession): string => (row.readable ? row.session.ownerFingerprint : row.ownerFingerprint)

/** The newest Sessions of every authority group and how many there are. @throws ConfigError for an unknown Project */
export async function readList(
  { store, ownerKind, ledger }: SessionDesk,
  { project, lifecycle, limit }: OperatorList,
): Promise<{ readonly sessions: readonly OperatorRow[]; readonly total: number }> {
  return await store.read(async (tx) => {
    const registered = project === undefined ? undefined : await tx.projects.bySlug(project)
    if (project !== undefined && registered === undefined) throw new ConfigError(`There is no Project ${project}.`)
    const filter: SessionFilter = {
      slugs: "*",
      ...(registered === undefined ? {} : { projectPk: registered.pk }),
      ...(lifecycle === undefined ? {} : { lifecycle }),
    }
    const listed = await tx.sessions.page({ ...filter, limit })
    const views = await listedSessionViews(tx, listed)
    const owners = listed.map((one) => ownerKind(ownerOf(one)))
    const sessions = views.map((view, at) => {
      const title = view.title === undefined ? {} : { title: ledger.redact(view.title) }
      return { ...view, ...title, owner: owners[at] ?? "" }
    })
    return { sessions, total: await tx.sessions.count(filter) }
  })
}

const HEADINGS = ["ID", "PROJECT", "STATE", "MODE", "OWNER", "EVENTS", "LAST CHANGE", "TITLE"]

const cells = (row: OperatorRow): readonly string[] => [
  row.session_id,
  row.project ?? "-",
  row.lifecycle,
  row.mode ?? "-",
  row.owner,
  String(row.events_total ?? "-"),
  row.updated_at === undefined ? "-" : timeText(row.updated_at),
  oneLine(row.title ?? ""),
]

const LOOKS: Readonly<Record<OperatorRow["lifecycle"], Look>> = { active: "plain", closed: "dim", unreadable: "bad" }

/** The list as a table for people. */
export function listText(
  { sessions, total }: { readonly sessions: readonly OperatorRow[]; readonly total: number },
  paint: Paint,
): string {
  const [head = "", ...lines] = table(HEADINGS, sessions.map(cells)).split("\n")
  const painted = lines.map((line, index) => paint(LOOKS[sessions[index]?.lifecycle ?? "active"], line))
  const more =
    total > sessions.length ? [paint("dim", `${total - sessions.length} more; --limit shows more of them`)] : []
  return [paint("bold", head), ...painted, ...more].join("\n")
}
