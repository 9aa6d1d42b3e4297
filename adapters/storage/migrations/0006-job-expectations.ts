import type { Migration } from "./migration.ts"

/** What a Job's caller declared of its result (spec workflow.md §5). */
export const jobExpectations: Migration = {
  version: 6,
  async up({ schema, run }) {
    await run(schema.alterTable("jobs").addColumn("expectation_json", "text"))
  },
}
