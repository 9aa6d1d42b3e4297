/** Environment variable that the processes of a live shell carry (spec shells.md §7). */
export const SHELL_MARKER = "HOLDFAST_SHELL"
