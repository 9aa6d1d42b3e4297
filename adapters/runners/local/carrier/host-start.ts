import { z } from "zod"
import { instanceIdSchema } from "../../../../core/kernel/ids.ts"
import { remoteSettingsSchema } from "../shells/remote/settings.ts"

const bytes = z.number().int().positive()

/**
 * What a server tells a Runner host that it starts, on the host's standard input. Limits that are absent are the host's own
 * defaults. No secret is in it.
 */
export const hostStartSchema = z.strictObject({
  hostId: instanceIdSchema,
  /** Absolute; exists. */
  dataDirectory: z.string(),
  /** Absolute. */
  runtimeDirectory: z.string(),
  /** Of the package. */
  version: z.string(),
  limits: z.strictObject({
    maxRunningJobs: bytes.exactOptional(),
    maxQueuedJobs: bytes.exactOptional(),
    spoolJobBytes: bytes.exactOptional(),
    outputLimitBytes: bytes.exactOptional(),
    spoolTotalBytes: bytes.exactOptional(),
    spoolHours: z.number().positive().exactOptional(),
  }),
  /** About shells elsewhere; absent: nothing is said. */
  remote: remoteSettingsSchema.exactOptional(),
  /** How long it stays after the last server left when it holds nothing, ms. */
  lingerMs: z.number().int().nonnegative(),
  /** How long what it holds goes on without any server, ms; absent: for ever. */
  abandonMs: z.number().int().positive().exactOptional(),
  /** It is made for one detached Job. */
  detached: z.boolean(),
  /** What runs a host: it makes one for each detached Job. */
  command: z.tuple([z.string()], z.string()),
})

/** A checked start. */
export type HostStart = Readonly<z.infer<typeof hostStartSchema>>

/** Longest runtime directory, bytes: the path of a Unix socket in it must stay within 100. */
export const MAX_RUNTIME_DIRECTORY_BYTES = 71

/** Where a host of this runtime directory listens; its folder there is private. */
export function socketOf(runtimeDirectory: string, hostId: string): string {
  return `${runtimeDirectory}/${hostId}/s`
}
