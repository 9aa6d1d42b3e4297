export type { HostCommand } from "./carrier/launch-host.ts"
export { createSocketCarrier, type SocketCarrier, type SocketCarrierOptions } from "./carrier/socket-carrier.ts"
export { type StoredConflict, storedConflicts } from "./files/conflicts.ts"
export { DEFAULT_HOST_LIMITS, type HostLimits } from "./host/host.ts"
export { runtimeDirectoryOf } from "./host/runtime-directory.ts"
export { createLocalRunner, type LocalRunnerOptions } from "./local-runner.ts"
export { createLocalRoots } from "./roots/create-local-roots.ts"
export {
  createRunnerOverHost,
  type LocalHost,
  type LocalRunner,
  type RunnerOverHostOptions,
} from "./runner-over-host.ts"
export type { RemoteSettings } from "./shells/remote/settings.ts"
