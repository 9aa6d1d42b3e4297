import type { CodingStore } from "../../../core/workflow/store.ts"
import type { Queries } from "../queries.ts"
import { bit } from "../rows/bit.ts"

/** Table `coding_sessions`. */
export function createCodingStore(queries: Queries): CodingStore {
  const { builder } = queries
  return {
    async bySession(sessionId) {
      const select = builder.selectFrom("coding_sessions").selectAll()
      const row = await queries.first(select.where("session_id", "=", sessionId).compile())
      return (
        row && {
          sessionId: row.session_id,
          rootInstruction: row.root_instruction,
          rootRedacted: row.root_redacted === 1,
          ...(row.baseline_tree !== null && { baselineTree: row.baseline_tree }),
        }
      )
    },
    async insert(coding) {
      const row = {
        session_id: coding.sessionId,
        root_instruction: coding.rootInstruction,
        root_redacted: bit(coding.rootRedacted),
        baseline_tree: coding.baselineTree ?? null,
      }
      await queries.change(builder.insertInto("coding_sessions").values(row).compile())
    },
  }
}
