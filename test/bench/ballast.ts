/** Memory that a process has touched, so that it weighs what a server weighs. */
export function ballastOf(megabytes: number): readonly Uint8Array[] {
  return Array.from({ length: megabytes }, (_, index) => Buffer.alloc(1_048_576, (index % 255) + 1))
}
