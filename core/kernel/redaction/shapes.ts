import type { ByteClass } from "./byte-class.ts"
import { ALNUM, byteClass, WORD_DASH } from "./byte-class.ts"
import type { RunShape } from "./run-recogniser.ts"

/** What a trigger sets off once its text has been read. */
export type Trigger =
  | { readonly kind: "prefix"; readonly text: string; readonly shape: RunShape }
  | { readonly kind: "scheme"; readonly text: string; readonly shape: RunShape; readonly afterAuthorization: boolean }
  | { readonly kind: "jwt" | "pem" | "url" | "sign"; readonly text: string }

const UPPER = byteClass("A-Z0-9")
const ALNUM_DASH = byteClass("A-Za-z0-9-")
const SIGNING = byteClass("A-Za-z0-9+/=_-")
const TOKEN68 = byteClass("A-Za-z0-9._~+/=-")

function prefixes(texts: string, shape: RunShape): Trigger[] {
  return texts.split(" ").map((text) => ({ kind: "prefix", text, shape }))
}

function run(name: string, members: ByteClass, min: number, max?: number): RunShape {
  return { name, members, min, ...(max === undefined ? {} : { max }) }
}

function scheme(words: string, shape: RunShape, afterAuthorization: boolean): Trigger[] {
  return words.split(" ").map((text) => ({ kind: "scheme", text, shape, afterAuthorization }))
}

/** Every shape of kernel.md §12 by the text that sets it off: this table is the only list of them. */
export const TRIGGERS: readonly Trigger[] = [
  ...prefixes("hfl_ hfp_ hfg_ hfo_ hfr_ hfs_", run("holdfast_token", WORD_DASH, 43)),
  ...prefixes("AKIA ASIA ABIA ACCA", run("aws_key", UPPER, 16, 16)),
  ...prefixes("ghp_ gho_ ghu_ ghs_ ghr_", run("github_token", ALNUM, 36)),
  ...prefixes("github_pat_", run("github_token", byteClass("A-Za-z0-9_"), 22)),
  ...prefixes("glpat- gldt- glrt- glptt- glsoat-", run("gitlab_token", WORD_DASH, 20)),
  ...prefixes("xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", run("slack_token", ALNUM_DASH, 10)),
  ...prefixes("sk_live_ sk_test_ rk_live_ rk_test_", run("stripe_key", ALNUM, 16)),
  ...prefixes("whsec_", run("stripe_key", SIGNING, 24)),
  ...prefixes("sk-ant-", run("anthropic_key", WORD_DASH, 20)),
  ...prefixes("sk-proj- sk-svcacct- sk-admin-", run("openai_key", WORD_DASH, 20)),
  ...prefixes("sk-", run("openai_key", ALNUM, 20)),
  ...prefixes("AIza", run("google_key", WORD_DASH, 35)),
  ...prefixes("GOCSPX-", run("google_key", WORD_DASH, 28)),
  ...scheme("Bearer bearer BEARER", run("bearer", TOKEN68, 16), false),
  ...scheme("Basic basic BASIC", run("basic_auth", SIGNING, 8), true),
  { kind: "jwt", text: "eyJ" },
  { kind: "pem", text: "-----BEGIN " },
  { kind: "url", text: "://" },
  { kind: "sign", text: ":" },
  { kind: "sign", text: "=" },
]
