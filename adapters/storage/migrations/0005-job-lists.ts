import type { Migration } from "./migration.ts"

/**
 * Lists of Jobs are read in the order of an index, whatever has gathered before them, and a Job whose Runner is out of reach
 * says since when (spec exec-and-jobs.md §5.2, §7.4).
 */
export const jobLists: Migration = {
  version: 5,
  async up({ schema, run }) {
    await run(schema.alterTable("jobs").addColumn("recovering_since", "bigint"))
    const index = (name: string) => schema.createIndex(name).on("jobs")
    await run(schema.dropIndex("jobs_owner"))
    await run(
      index("jobs_owner_list").columns([
        "owner_fingerprint",
        "handed_over",
        "created_at",
        "job_id",
        "project_pk",
        "status",
      ]),
    )
    await run(index("jobs_project_list").columns(["project_pk", "handed_over", "created_at", "job_id"]))
    await run(index("jobs_session_list").columns(["session_id", "handed_over", "created_at", "job_id"]))
  },
}
