import type { Ids } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import { hashSecret, hintOf, mintSecret, type PresentableKind } from "./secret.ts"
import type { Credential } from "./store.ts"

/** What a new credential is to be; the secret is made here. */
export type CredentialDraft = Omit<Credential, "secretHash" | "hint" | "kind"> & { readonly kind: PresentableKind }

/** A stored credential with its secret, which is shown this once and kept nowhere. */
export interface Issued {
  readonly credential: Credential
  readonly secret: string
}

/** Mints a secret and stores its credential in the caller's transaction. */
export async function issueCredential(tx: Tx, ids: Pick<Ids, "secret">, draft: CredentialDraft): Promise<Issued> {
  const secret = mintSecret(draft.kind, ids)
  const credential: Credential = { ...draft, secretHash: hashSecret(secret), hint: hintOf(secret) }
  await tx.credentials.insert(credential)
  return { credential, secret }
}
