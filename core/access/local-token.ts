import type { Clock } from "../kernel/clock.ts"
import type { Ids } from "../kernel/ids.ts"
import type { Store, Tx } from "../store.ts"
import { issueCredential } from "./issue.ts"
import { localPrincipal } from "./principal.ts"
import { SCOPE_BUNDLES } from "./scopes.ts"
import { hashSecret } from "./secret.ts"

const MAX_TRIES = 20
const STEP_ASIDE_MS = 20

/** Group or others have a right to the file, or a link, pipe or directory stands in its place. */
export type TokenFileFault = "exposed" | "not_a_file"

/** The file that holds the local token (spec kernel.md §2.2): mode 0600, never followed through a link. */
export interface LocalTokenFile {
  readonly path: string
  /** Its text, or why it is not read; `undefined` when there is none. Never waits for a writer. */
  read(): Promise<{ readonly secret: string } | TokenFileFault | undefined>
  /** Makes the file whole or not at all; `false` when one exists already. */
  create(secret: string): Promise<boolean>
  /** Puts a whole new file in the place of whatever is there. */
  replace(secret: string): Promise<void>
}

/** What the start of the HTTP door found or made; the value itself is in no answer. */
export type LocalTokenState = { readonly state: "ready"; readonly minted: boolean } | { readonly state: TokenFileFault }

/** Ports of the local token. */
export interface LocalTokenPorts {
  readonly store: Store
  readonly clock: Pick<Clock, "now" | "sleep">
  readonly ids: Pick<Ids, "credential" | "secret">
  readonly file: LocalTokenFile
}

async function revokeLive(tx: Tx, at: number, reason: string): Promise<void> {
  for (const credential of await tx.credentials.list({ kind: "local_token" })) {
    if (credential.revokedAt === undefined) await tx.credentials.revoke(credential.id, at, reason)
  }
}

/** Revokes every live local token and mints one: all scopes but `admin` and `conversation:agent`, every Project. */
async function mint(ports: LocalTokenPorts, reason: string): Promise<string> {
  const { store, clock, ids } = ports
  const at = clock.now()
  const { secret } = await store.write(async (tx) => {
    await revokeLive(tx, at, reason)
    return await issueCredential(tx, ids, {
      id: ids.credential(),
      kind: "local_token",
      principalId: localPrincipal.id,
      name: "local token",
      scopes: SCOPE_BUNDLES.local,
      createdAt: at,
    })
  })
  return secret
}

async function isLive(ports: LocalTokenPorts, secret: string): Promise<boolean> {
  const credential = await ports.store.read((tx) => tx.credentials.byHash(hashSecret(secret)))
  return credential?.kind === "local_token" && credential.revokedAt === undefined
}

/**
 * Makes sure that the file holds a live local token before the HTTP door opens (spec kernel.md §2.2): a file whose token
 * lives is kept; a missing or stale one gets a new token and the old one is revoked; an exposed one, or what is no file, stops the start.
 * Several processes may do this at once: they end with one file and one live token.
 */
export async function ensureLocalToken(ports: LocalTokenPorts): Promise<LocalTokenState> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const found = await ports.file.read()
    if (found === "exposed" || found === "not_a_file") return { state: found }
    if (found !== undefined && (await isLive(ports, found.secret))) return { state: "ready", minted: attempt > 0 }
    const secret = await mint(ports, found === undefined ? "its file was missing" : "its file held another token")
    if (found === undefined) await ports.file.create(secret)
    else await ports.file.replace(secret)
    // Whoever mints revokes the others' tokens: they look again at different moments, so that one of them is left alone.
    if (attempt > 0) await ports.clock.sleep(Math.random() * STEP_ASIDE_MS * attempt)
  }
  throw new Error("The local token file changes faster than it can be read. Stop the other servers and start again.")
}

/** Ends the local token and writes a new one (`token rotate-local`). An exposed file is replaced, too. */
export async function rotateLocalToken(ports: LocalTokenPorts): Promise<void> {
  await ports.file.replace(await mint(ports, "rotated"))
}
