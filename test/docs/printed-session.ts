import path from "node:path"
import { createIds, sessionIdSchema } from "../../core/kernel/ids.ts"
import { createHoldfast } from "../../server/holdfast.ts"
import type { Place } from "../support/place.ts"
import { read } from "./markdown.ts"

/** The id of the Session that docs/operations.md looks at. */
const PRINTED = sessionIdSchema.parse(/\bid=(wc_sess_\S+)/.exec(read("docs/operations.md"))?.[1])

/** Makes the closed Session that the pages name, in the data directory that commands use by default. */
export async function seedPrintedSession(place: Place): Promise<void> {
  await using holdfast = await createHoldfast({
    dataDir: path.join(place.home, ".local/state/holdfast"),
    ids: { ...createIds(), session: () => PRINTED },
    env: place.env,
  })
  await holdfast.client.tools.start_session({ title: "Printed in the pages" })
  await holdfast.client.tools.close_session({ session_id: PRINTED })
}
