/** How the options of a program that runs another one are read: the other one stands after them (spec shells.md §8). */
export interface WrapperOptions {
  /** Letters of options that take a value, from the same word or the next one. */
  readonly valued: string
  /** Letters of options whose value can only stand in the same word. */
  readonly attached: string
  /** Long options whose value can stand in the next word. */
  readonly longValued: readonly string[]
  /** With these nothing is run. */
  readonly runsNothing: readonly string[]
  /** `NAME=value` may stand before the program. */
  readonly assignments: boolean
}

const none: WrapperOptions = { valued: "", attached: "", longValued: [], runsNothing: [], assignments: false }

/** The programs behind which the command word is looked for. */
export const WRAPPERS: ReadonlyMap<string, WrapperOptions> = new Map([
  ["env", { ...none, valued: "uCS", longValued: ["--unset", "--chdir", "--split-string"], assignments: true }],
  [
    "sudo",
    {
      ...none,
      valued: "ughpCTrtRDU",
      longValued: [
        "--user",
        "--group",
        "--host",
        "--prompt",
        "--close-from",
        "--command-timeout",
        "--role",
        "--type",
        "--chroot",
        "--chdir",
        "--other-user",
      ],
      runsNothing: ["-e", "--edit"],
      assignments: true,
    },
  ],
  ["nohup", none],
  ["time", { ...none, valued: "fo", longValued: ["--format", "--output"] }],
  [
    "xargs",
    {
      ...none,
      valued: "adEILnPs",
      attached: "eil",
      longValued: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"],
    },
  ],
  ["command", { ...none, runsNothing: ["-v", "-V"] }],
  ["exec", { ...none, valued: "a" }],
])
