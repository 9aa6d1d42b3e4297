import { z } from "zod"
import { authorityFingerprint } from "../access/principal.ts"
import type { Call } from "../kernel/call.ts"
import type { ProjectPk } from "../kernel/ids.ts"
import { effectiveMode } from "../kernel/permission.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Shell } from "../shells/record.ts"
import type { Tx } from "../store.ts"
import { surfaceSchema } from "./fields.ts"

/** Input of `runtime_status`: nothing. */
export const runtimeStatusInput = z.strictObject({})

const count = z.int().min(0)

/** Output of `runtime_status` (spec kernel.md §8). */
export const runtimeStatusOutput = z.object({
  service: z.literal("holdfast"),
  version: textSchema(1, 40),
  instance: textSchema(1, 26),
  uptime_ms: count,
  surface: surfaceSchema,
  door: z.enum(["http", "mcp", "stdio", "embedded", "system"]),
  authority: z.object({
    mode: z.enum(["trusted_agent", "restricted"]),
    source: z.enum(["flag", "env", "file", "default", "credential"]),
    permission_bearing: z.enum(["allowed", "denied"]),
  }),
  features: z.array(textSchema(1, 20)).max(16),
  store: z.object({ dialect: z.enum(["sqlite", "postgres"]), schema_version: count, size_bytes: count }),
  runners: z
    .array(
      z.object({ client_id: textSchema(1, 80), online: z.boolean(), confinement: z.enum(["anchored", "checked"]) }),
    )
    .max(16),
  counts: z.object({
    projects: count,
    sessions_active: count,
    jobs_active: count,
    jobs_recovering: count,
    shells: count,
  }),
  limits: z.object({ deadline_ms: count, reply_limit_chars: count, body_limit_bytes: count }),
})

type RuntimeStatus = z.output<typeof runtimeStatusOutput>

/** Version, modes, limits and health of this process; counts are of what the caller may see. */
export async function runtimeStatus(call: Pick<Call, "ports" | "caller" | "door">): Promise<RuntimeStatus> {
  const { runtime, store, clock, catalogue } = call.ports
  const { dialect, schemaVersion, sizeBytes } = await store.facts()
  return {
    service: "holdfast",
    version: runtime.version,
    instance: runtime.instance,
    uptime_ms: Math.max(0, Math.round(clock.monotonic() - runtime.startedAt)),
    surface: catalogue.surface,
    door: call.door,
    authority: authorityOf(call),
    features: [...runtime.features],
    store: { dialect, schema_version: schemaVersion, size_bytes: sizeBytes },
    runners: runnersOf(call),
    counts: await countsOf(call),
    limits: { ...runtime.limits },
  }
}

function authorityOf({ ports, caller }: Pick<Call, "ports" | "caller">): RuntimeStatus["authority"] {
  const server = ports.runtime.authority
  const mode = effectiveMode(server.mode, caller.mode)
  return {
    mode,
    source: mode === server.mode ? server.source : "credential",
    permission_bearing: mode === "trusted_agent" ? "allowed" : "denied",
  }
}

function runnersOf({ ports }: Pick<Call, "ports">): RuntimeStatus["runners"] {
  return ports.runners.ids().map((client_id) => {
    const runner = ports.runners.get(client_id)
    // A Runner that is not reached says nothing about its confinement; the weaker one is then the truth.
    return { client_id, online: runner !== undefined, confinement: runner?.confinement ?? "checked" }
  })
}

/** More Projects than one data directory holds. */
const ALL = 10_000

/** Active Sessions that a credential of these Projects may read. */
async function readableSessions(
  tx: Tx,
  { authority }: Call["caller"],
  projects: readonly ProjectPk[],
): Promise<number> {
  return authority === undefined ? 0 : await tx.sessions.countActive(authorityFingerprint(authority), projects)
}

async function countsOf({ ports, caller }: Pick<Call, "ports" | "caller">): Promise<RuntimeStatus["counts"]> {
  return ports.store.read(async (tx) => {
    const active = await tx.jobs.active({})
    const listed = caller.projects === "*" ? undefined : await tx.projects.list({ slugs: caller.projects, limit: ALL })
    const pks = listed?.projects.map(({ pk }) => pk)
    const isListed = (pk: ProjectPk | undefined): boolean => pks === undefined || (pk !== undefined && pks.includes(pk))
    const jobs = active.filter(({ projectPk }) => isListed(projectPk))
    const shells = await tx.shells.live({})
    const isOwn = (shell: Shell): boolean => shell.family === "free" && shell.ownerPrincipal === caller.principal.id
    return {
      projects: listed === undefined ? await tx.projects.count() : listed.total,
      sessions_active: pks === undefined ? await tx.sessions.countAllActive() : await readableSessions(tx, caller, pks),
      jobs_active: jobs.length,
      jobs_recovering: jobs.filter((job) => job.status === "recovering").length,
      shells: shells.filter((shell) => isOwn(shell) || isListed(shell.projectPk)).length,
    }
  })
}
