import { z } from "zod"
import { fittingPage } from "../kernel/budget/fitting-page.ts"
import type { Call } from "../kernel/call.ts"
import { decodeCursor, encodeCursor } from "../kernel/list-cursor.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Tx } from "../store.ts"
import { MAX_PROJECT_DESCRIPTION, MAX_PROJECT_TITLE, type Project } from "./record.ts"

const PROBE_MS = 1000
/** More Projects than one data directory holds; a list that is filtered by availability looks at all of them. */
const ALL = 10_000

/** One Project in outputs. `status` and `git` are absent when the Runner did not answer in time. */
export const projectViewSchema = z.object({
  project: textSchema(1, 64).describe("Slug."),
  title: textSchema(0, MAX_PROJECT_TITLE).describe("Title.").optional(),
  description: textSchema(0, MAX_PROJECT_DESCRIPTION).describe("Description.").optional(),
  client_id: textSchema(1, 128).describe("Runner that owns it."),
  root: textSchema(1, 4096).describe("Root directory."),
  kind: z.enum(["registered", "managed_worktree"]).describe("How it came to be."),
  status: z.enum(["available", "missing", "runner_offline"]).describe("Whether its root can be used now.").optional(),
  git: z.boolean().describe("The root has its own repository.").optional(),
  revision: z.number().int().min(1).describe("Revision, for unregister_project."),
  active_jobs: z.number().int().min(0).describe("Jobs that are not finished."),
})
/** A value of `projectViewSchema`. */
export type ProjectView = z.infer<typeof projectViewSchema>

/** What a list of Projects is asked with (spec kernel.md §9). */
export interface ProjectListRequest {
  readonly project?: string
  readonly query?: string
  readonly clientId?: string
  readonly includeUnavailable: boolean
  readonly limit: number
  readonly cursor?: string
}

type RunnerSide = Pick<ProjectView, "status" | "git">

async function inspect(project: Project, call: Pick<Call, "ports">): Promise<RunnerSide> {
  const runner = call.ports.runners.get(project.clientId)
  if (runner === undefined) return { status: "runner_offline" }
  const facts = await runner.roots.inspect(project.root)
  return facts.kind === "directory" ? { status: "available", git: facts.git } : { status: "missing" }
}

/** Facts of a Project from its Runner; none when it fails or takes longer than a second. */
async function probe(project: Project, call: Pick<Call, "ports">, signal: AbortSignal): Promise<RunnerSide> {
  const late = call.ports.clock.sleep(PROBE_MS, signal).then((): RunnerSide => ({}))
  return await Promise.race([inspect(project, call), late]).catch((): RunnerSide => ({}))
}

async function probeAll(projects: readonly Project[], call: Pick<Call, "ports">): Promise<readonly RunnerSide[]> {
  const done = new AbortController()
  try {
    return await Promise.all(projects.map((project) => probe(project, call, done.signal)))
  } finally {
    done.abort("ended")
  }
}

function view(project: Project, side: RunnerSide, activeJobs: number): ProjectView {
  return {
    project: project.slug,
    ...(project.title === undefined ? {} : { title: project.title }),
    ...(project.description === undefined ? {} : { description: project.description }),
    client_id: project.clientId,
    root: project.root,
    kind: project.kind,
    ...side,
    revision: project.revision,
    active_jobs: activeJobs,
  }
}

function visibleSlugs(call: Pick<Call, "caller">, only: string | undefined): "*" | readonly string[] {
  const { projects } = call.caller
  if (only === undefined) return projects
  return projects === "*" || projects.includes(only) ? [only] : []
}

async function readPage(
  tx: Tx,
  call: Pick<Call, "caller">,
  request: ProjectListRequest,
  page: { readonly limit: number; readonly afterSlug?: string },
) {
  const { projects, total } = await tx.projects.list({
    slugs: visibleSlugs(call, request.project),
    ...(request.clientId === undefined ? {} : { clientId: request.clientId }),
    ...(request.query === undefined ? {} : { query: request.query }),
    ...page,
  })
  const jobs: number[] = []
  for (const project of projects) jobs.push(await tx.jobs.countActive({ projectPk: project.pk }))
  return { projects, total, jobs }
}

/** One page of the Projects that the caller may access, by slug (spec kernel.md §9). */
export async function listProjects(
  call: Pick<Call, "caller" | "ports" | "budget">,
  request: ProjectListRequest,
): Promise<{ projects: ProjectView[]; total: number; next_cursor?: string }> {
  const filters = [request.project, request.query, request.clientId, request.includeUnavailable]
  const afterSlug = request.cursor === undefined ? undefined : decodeCursor(request.cursor, filters)
  const after = afterSlug === undefined ? {} : { afterSlug }
  const all = !request.includeUnavailable
  const read = await call.ports.store.read((tx) =>
    readPage(tx, call, request, all ? { limit: ALL } : { limit: request.limit + 1, ...after }),
  )
  const sides = await probeAll(read.projects, call)
  const views = read.projects.map((project, index) => view(project, sides[index] ?? {}, read.jobs[index] ?? 0))
  const usable = all ? views.filter(({ status }) => status === "available") : views
  const rest = all && afterSlug !== undefined ? usable.filter(({ project }) => project > afterSlug) : usable
  const projects = fittingPage(rest, request.limit, call.budget.chars / 2)
  const last = projects.at(-1)
  const more = rest.length > projects.length && last !== undefined
  return {
    projects,
    total: all ? usable.length : read.total,
    ...(more ? { next_cursor: encodeCursor(last.project, filters) } : {}),
  }
}
