import { type Caller, mayAccessProject } from "../../access/principal.ts"
import type { Project } from "../../projects/record.ts"
import type { WorkflowSession } from "../../sessions/record.ts"
import type { Tx } from "../../store.ts"
import type { AnyToolDefinition } from "../definition.ts"
import { ToolError } from "../error.ts"
import { type ProjectPk, type SessionId, sessionIdSchema } from "../ids.ts"
import { invalidFields } from "./invalid-arguments.ts"
import { loadSession, projectNotFound } from "./load-session.ts"
import type { ParsedCall, ParsedInput } from "./parse-call.ts"
import type { KernelParts } from "./parts.ts"

/** What a call works on and in, after step 3. */
export interface Targets {
  readonly recorder: WorkflowSession | undefined
  readonly business: WorkflowSession | undefined
  readonly project: Project | undefined
}

/** A parsed call of a tool and who makes it. */
export interface AddressedCall {
  readonly definition: AnyToolDefinition
  readonly caller: Caller
  readonly call: ParsedCall
}

const NO_TARGETS: Targets = Object.freeze({ recorder: undefined, business: undefined, project: undefined })

interface Named {
  readonly recorder: SessionId | undefined
  readonly business: SessionId | undefined
  readonly slug: string | undefined
}

/**
 * Step 3: recorder, Project, business Session, and that all present ones have the same Project by internal key. One read
 * transaction, none where nothing is named. @throws the kinds of kernel.md §4 rows 3a–3e.
 */
export async function resolveTargets(
  parts: KernelParts,
  { definition, caller, call }: AddressedCall,
): Promise<Targets> {
  const named: Named = {
    recorder: call.wrapper.recorder,
    business: definition.target.session === "none" ? undefined : businessId(definition, call.input, parts),
    slug: definition.target.project === "none" ? undefined : textMember(call.input, "project"),
  }
  if (named.recorder === undefined && named.business === undefined && named.slug === undefined) return NO_TARGETS
  const targets = await parts.store.read((tx) => readTargets(tx, { named, caller, definition }))
  if (targets.project !== undefined && worksInProject(definition)) await requireWorkable(parts, targets.project)
  return targets
}

async function readTargets(
  tx: Tx,
  {
    named,
    caller,
    definition,
  }: {
    readonly named: Named
    readonly caller: Caller
    readonly definition: AnyToolDefinition
  },
): Promise<Targets> {
  const recorder = named.recorder && (await loadSession(tx, { id: named.recorder, role: "recorder", caller }))
  const stated = named.slug === undefined ? undefined : await statedProject(tx, named.slug, caller)
  const business = named.business && (await loadSession(tx, { id: named.business, role: "business", caller }))
  requireOneProject({ recorder, business, request: stated })
  return { recorder, business, project: stated ?? (await inheritedProject(tx, definition, business)) }
}

async function statedProject(tx: Tx, slug: string, caller: Caller): Promise<Project> {
  const project = mayAccessProject(caller, slug) ? await tx.projects.bySlug(slug) : undefined
  if (project === undefined) throw projectNotFound()
  return project
}

async function inheritedProject(
  tx: Tx,
  definition: AnyToolDefinition,
  business: WorkflowSession | undefined,
): Promise<Project | undefined> {
  if (definition.target.project !== "optional" || business?.projectPk === undefined) return undefined
  return tx.projects.byPk(business.projectPk)
}

/** Who must agree on a Project; an absent member has no say, a project-less Session equals only project-less ones. */
interface ProjectMembers {
  readonly recorder: WorkflowSession | undefined
  readonly business: WorkflowSession | undefined
  readonly request: Project | undefined
}

/** Step 3d. @throws `session_project_mismatch` naming the roles that take part. */
export function requireOneProject({ recorder, business, request }: ProjectMembers): void {
  const members: (readonly [string, ProjectPk | undefined])[] = []
  if (recorder !== undefined) members.push(["recorder", recorder.projectPk])
  if (business !== undefined) members.push(["business", business.projectPk])
  if (request !== undefined) members.push(["request", request.pk])
  if (members.every(([, pk]) => pk === members[0]?.[1])) return
  throw new ToolError(
    "session_project_mismatch",
    "Recorder, Session and request do not have the same Project. Use Sessions of the Project you work in.",
    { details: { roles: members.map(([role]) => role) } },
  )
}

function worksInProject({ activity }: AnyToolDefinition): boolean {
  return activity !== "session" && activity !== "other"
}

/** Step 3e. @throws `project_unavailable`, `runner_unavailable`, `workspace_missing`. */
async function requireWorkable(parts: KernelParts, project: Project): Promise<void> {
  const { slug, clientId, root, unregisteredAt } = project
  if (unregisteredAt !== undefined)
    throw new ToolError("project_unavailable", `The Project ${slug} is not registered any more. Register it again.`, {
      details: { project: slug },
    })
  const runner = parts.runners.get(clientId)
  if (runner === undefined) throw runnerUnavailable(project)
  const facts = await runner.roots.inspect(root)
  if (facts.kind === "directory") return
  throw new ToolError(
    "workspace_missing",
    `The root directory of Project ${slug} is gone. Restore it or register another.`,
    {
      details: { project: slug },
    },
  )
}

/** A Project whose Runner does not answer. */
export function runnerUnavailable({ slug, clientId }: Project): ToolError<"runner_unavailable"> {
  return new ToolError("runner_unavailable", `The Runner of Project ${slug} is not online. Try again later.`, {
    details: { client_id: clientId },
    retryAfterMs: 1000,
  })
}

function businessId(definition: AnyToolDefinition, input: ParsedInput, parts: KernelParts): SessionId | undefined {
  const text = textMember(input, "session_id")
  if (text === undefined) return undefined
  const id = sessionIdSchema.safeParse(text)
  if (id.success) return id.data
  throw invalidFields({
    tool: definition.name,
    fields: [{ path: "session_id", code: "pattern" }],
    schemaHash: parts.catalogue.schemaHash,
  })
}

function textMember(input: ParsedInput, member: string): string | undefined {
  const value = input[member]
  return typeof value === "string" ? value : undefined
}
