export { type StoredConflict, storedConflicts } from "./files/conflicts.ts"
export { DEFAULT_HOST_LIMITS, type HostLimits } from "./host/host.ts"
export { createLocalRunner, type LocalRunner, type LocalRunnerOptions } from "./local-runner.ts"
export { createLocalRoots } from "./roots/create-local-roots.ts"
