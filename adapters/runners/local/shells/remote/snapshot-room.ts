import type {
  RestoreOptions,
  RestoreText,
  ShellNotes,
  Snapshot,
  SnapshotPlace,
  SnapshotReader,
  SnapshotReaderOptions,
} from "../snapshot/types.ts"

/** The part of the snapshot room that far generations use. */
export interface SnapshotRoom {
  initText(place: SnapshotPlace): string
  recordScript(place: SnapshotPlace): string
  idleLine(place: SnapshotPlace, token: string): string
  chainLine(place: SnapshotPlace, notes: ShellNotes): string | undefined
  createSnapshotReader(options: SnapshotReaderOptions): SnapshotReader
  restoreText(place: SnapshotPlace, snapshot: Snapshot, options: RestoreOptions): RestoreText
}
