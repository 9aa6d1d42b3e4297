/** A fault in flags, environment or configuration file; the process ends with exit code 2 and this sentence (spec kernel.md §14). */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
}
