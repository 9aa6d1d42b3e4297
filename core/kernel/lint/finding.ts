/** One breach of a rule that every definition keeps (spec doors.md §1.5, kernel.md §1). */
export interface Finding {
  readonly tool: string
  /** Dotted path of the field, where the breach is in one. */
  readonly field?: string
  /** `R1`…`R12` of doors.md §1.5, `K1` for the rules at the end of kernel.md §1. */
  readonly rule: string
  readonly message: string
}

/** Thrown when a registry is built from definitions that a host or the kernel would have to refuse. */
export class RegistryError extends Error {
  override readonly name = "RegistryError"
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(`The tool definitions break ${findings.length} rule(s):\n${findings.map(sentence).join("\n")}`)
    this.findings = findings
  }
}

function sentence(finding: Finding): string {
  const where = finding.field === undefined ? finding.tool : `${finding.tool}.${finding.field}`
  return `${finding.rule} ${where}: ${finding.message}`
}
