import { z } from "zod"

/** What the operator says about shells elsewhere (spec shells.md §9), as it also travels to a host in another process. */
export const remoteSettingsSchema = z.strictObject({
  /** What is done with a host key nobody knows; default: it is stored in our own known_hosts. */
  sshFirstUse: z.enum(["accept", "refuse"]).exactOptional(),
  /** Keys that callers may name lie in it; default `~/.ssh`. */
  sshKeyDirectory: z.string().exactOptional(),
  /** Instead of the user's and the system's ssh configuration. */
  sshConfigFile: z.string().exactOptional(),
  /** Socket of the ssh agent, where there is one. */
  sshAgentSocket: z.string().exactOptional(),
  /** Default: the one that answers, docker first. */
  containerEngine: z.enum(["docker", "podman"]).exactOptional(),
})

/** Checked settings; none is a secret. */
export type RemoteSettings = Readonly<z.infer<typeof remoteSettingsSchema>>
