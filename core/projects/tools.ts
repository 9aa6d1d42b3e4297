import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { ToolError } from "../kernel/error.ts"
import { labelSchema, textSchema } from "../kernel/text-schema.ts"
import { closeRows, endProcesses } from "../shells/close.ts"
import type { Shell } from "../shells/record.ts"
import { listProjects, projectViewSchema } from "./list.ts"
import { absolutePathSchema } from "./path-schema.ts"
import { MAX_PROJECT_DESCRIPTION, MAX_PROJECT_TITLE } from "./record.ts"
import { prepareRoot, type Registration, registerRoot } from "./register.ts"
import { slugSchema } from "./slug.ts"
import { unregisterProject } from "./unregister.ts"

const clientId = textSchema(1, 128)
/** More changes than a registration can have; a bound for the published schema. */
const MAX_REVISION = 2_147_483_647

/** `list_projects` (spec kernel.md §9). */
export const listProjectsTool = defineTool({
  name: "list_projects",
  title: "List Projects",
  description: "Lists the registered Projects that the caller may access, by slug, with state and running Jobs.",
  category: "project",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Only the Project of this slug.").optional(),
    query: textSchema(1, 200).describe("Part of slug, title or description, any case.").optional(),
    client_id: clientId.describe("Only Projects of this Runner.").optional(),
    include_unavailable: z.boolean().default(true).describe("Also those whose root cannot be used now."),
    limit: z.int().min(1).max(100).default(50).describe("Most Projects to return."),
    cursor: textSchema(1, 256).describe("next_cursor of the page before, with the same filters.").optional(),
  }),
  output: z.object({
    projects: z.array(projectViewSchema).max(100).describe("Projects by slug."),
    total: z.number().int().min(0).describe("Projects that match, on all pages."),
    next_cursor: textSchema(1, 256).describe("Cursor of the next page.").optional(),
  }),
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["project:read"],
  target: { project: "none", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "enumerate",
  deadline: "short",
  surfaces: ["coding"],
  record: {
    input: (input) => ({ limit: input.limit, query_present: input.query !== undefined }),
    output: (output) => ({ returned: output.projects.length, total: output.total }),
  },
  reduce: [{ at: "projects", kind: "list", min: 0 }],
  verbatim: ["next_cursor"],
  async handler(input, call) {
    return await listProjects(call, {
      ...(input.project === undefined ? {} : { project: input.project }),
      ...(input.query === undefined ? {} : { query: input.query }),
      ...(input.client_id === undefined ? {} : { clientId: input.client_id }),
      ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
      includeUnavailable: input.include_unavailable,
      limit: input.limit,
    })
  },
})

/** `register_project` (spec kernel.md §9). */
export const registerProject = defineTool({
  name: "register_project",
  title: "Register a Project",
  description:
    "Registers a directory below an allowed root as a Project, or makes it first. A directory that is registered already answers created:false.",
  category: "project",
  input: z.strictObject({
    path: absolutePathSchema.describe("Absolute path of the directory."),
    client_id: clientId.default("local").describe("Runner on whose machine it is."),
    project: slugSchema.describe("Wanted slug; left out: from the folder's name.").optional(),
    title: labelSchema(1, MAX_PROJECT_TITLE).describe("Title.").optional(),
    description: labelSchema(1, MAX_PROJECT_DESCRIPTION).describe("Description.").optional(),
    create: z.boolean().default(false).describe("Make the directory, one level."),
    git_init: z.boolean().default(false).describe("Make it a repository if it is none."),
  }),
  output: z.object({
    project: textSchema(1, 64).describe("Slug."),
    created: z.boolean().describe("A registration was made."),
    created_directory: z.boolean().describe("The directory was made."),
    client_id: clientId.describe("Runner that owns it."),
    root: textSchema(1, 4096).describe("Real path of the root."),
    git: z.boolean().describe("The root has its own repository.").optional(),
    revision: z.number().int().min(1).describe("Revision."),
  }),
  effect: "mutate",
  mutates: "workspace",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "project_register",
  scopes: ["project:write"],
  target: { project: "none", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({
      create: input.create,
      git_init: input.git_init,
      project_present: input.project !== undefined,
    }),
    output: (output) => ({ created: output.created, created_directory: output.created_directory }),
    evidence: (result) =>
      "output" in result ? { state_changed: result.output.created || result.output.created_directory } : {},
  },
  reduce: [{ at: "root", kind: "text", min: 500 }],
  async handler(input, call) {
    if (call.caller.projects !== "*") {
      throw new ToolError(
        "project_access_denied",
        "This credential is limited to listed Projects and cannot register one. Ask the operator to register it.",
      )
    }
    const request: Registration = {
      clientId: input.client_id,
      path: input.path,
      allowedRoots: call.ports.runtime.allowedRoots,
      operator: false,
      ...(input.project === undefined ? {} : { slug: input.project }),
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(input.description === undefined ? {} : { description: input.description }),
      create: input.create,
      gitInit: input.git_init,
    }
    const { facts, createdDirectory } = await prepareRoot(call.ports, request)
    return await call.commit(async (tx) => {
      const { project, created } = await registerRoot(tx, request, { ...call.ports, facts, at: call.now() })
      return {
        project: project.slug,
        created,
        created_directory: createdDirectory,
        client_id: project.clientId,
        root: project.root,
        git: facts.git,
        revision: project.revision,
      }
    })
  },
})

/** `unregister_project` (spec kernel.md §9). */
export const unregisterProjectTool = defineTool({
  name: "unregister_project",
  title: "Unregister a Project",
  description:
    "Ends a Project's registration. No file, Session or Job is deleted; its live shells are closed, its Sessions stay readable.",
  category: "project",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Project slug."),
    expected_revision: z.int().min(1).max(MAX_REVISION).describe("Revision as list_projects shows it."),
    confirm: z.boolean().describe("Must be true."),
  }),
  output: z.object({
    unregistered: z.literal(true).describe("The registration has ended."),
    already: z.boolean().describe("It had ended before this call."),
  }),
  effect: "mutate",
  mutates: "workspace",
  destructive: true,
  openWorld: false,
  idempotency: "natural",
  risk: "project_register",
  scopes: ["project:write"],
  target: { project: "required", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "short",
  surfaces: [],
  record: {
    output: (output) => ({ already: output.already }),
    evidence: (result) => ("output" in result ? { state_changed: !result.output.already } : {}),
  },
  reduce: [],
  async handler(input, call) {
    if (!input.confirm) {
      throw new ToolError("confirmation_required", "Ending a registration needs confirm:true. Send it if you mean it.")
    }
    const { pk } = call.requireProject()
    const shells: Shell[] = []
    const ended = await call.commit(async (tx) => {
      const at = call.now()
      const done = await unregisterProject(tx, { pk, expectedRevision: input.expected_revision, at })
      shells.push(...(await closeRows(tx, { projectPk: pk }, { reason: "project_closed", at })))
      return done
    })
    await endProcesses(call.ports, shells)
    return ended
  },
})

/** The Project tools (spec kernel.md §9). */
export const projectTools = [listProjectsTool, registerProject, unregisterProjectTool] as const
