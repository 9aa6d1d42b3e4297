import { expect, it } from "vitest"
import type { Job } from "../../../core/jobs/record.ts"
import { openJobs } from "./jobs-under-test.ts"

it("a start that no Session records has its open row from its Job's row to its end", async () => {
  await using jobs = await openJobs()
  const { store } = jobs.harness
  const live = async (): Promise<Job | undefined> => (await store.read((tx) => tx.jobs.active({})))[0]
  const isOpen = (job: Job): Promise<boolean> => store.read((tx) => tx.openCalls.exists(job.callId))
  const running = jobs.shell("sleep 0.5")
  await expect.poll(live).toBeDefined()
  const job = await live()
  if (job === undefined) throw new Error("no Job")
  expect(await isOpen(job)).toBe(true)
  await running
  expect(await isOpen(job)).toBe(false)
  expect(await store.read((tx) => tx.jobs.byId(job.jobId))).toMatchObject({ status: "completed" })
})
