import { ToolError } from "../kernel/error.ts"
import type { Ids } from "../kernel/ids.ts"
import { storedText, type TextMask } from "../kernel/stored-text.ts"
import type { RunnerDirectory } from "../runners/runner.ts"
import type { Store, Tx } from "../store.ts"
import { locateRoot, type RootRequest, requireRunner } from "./locate.ts"
import { MAX_PROJECT_DESCRIPTION, MAX_PROJECT_TITLE, type Project } from "./record.ts"
import type { RootFacts } from "./roots.ts"
import { freeSlug, slugOfFolder } from "./slug.ts"

/** One directory to register as a Project (spec kernel.md §9). */
export interface Registration extends RootRequest {
  /** Asked slug; absent: from the folder's name. */
  readonly slug?: string
  readonly title?: string
  readonly description?: string
  /** Make the directory, one level. */
  readonly create: boolean
  /** Make it a repository if it is none. */
  readonly gitInit: boolean
}

/** A registration and how it came about. */
export interface Registered {
  readonly project: Project
  readonly created: boolean
}

/** A root that is ready to be registered. */
export interface PreparedRoot {
  readonly facts: RootFacts
  readonly createdDirectory: boolean
}

const exists = (slug: string): ToolError<"project_exists"> =>
  new ToolError("project_exists", `This name or folder belongs to the Project ${slug}. Use it, or choose another.`, {
    details: { project: slug },
  })

/** The live Project of this root, unless another name was asked for. @throws ToolError `project_exists` */
async function existing(tx: Tx, request: Registration, root: string): Promise<Project | undefined> {
  const { clientId, slug } = request
  const live = await tx.projects.liveByRoot(clientId, root)
  if (live !== undefined && slug !== undefined && slug !== live.slug) throw exists(live.slug)
  if (live !== undefined || slug === undefined) return live
  const holder = await tx.projects.bySlug(slug)
  if (holder !== undefined && holder.unregisteredAt === undefined) throw exists(slug)
  return undefined
}

/**
 * Finds, or with `create` makes, the directory. Everything that can be refused is refused before anything is made.
 * @throws ToolError `path_not_allowed`, `path_not_found`, `project_exists`, `unknown_client_id`, `runner_unavailable`
 */
export async function prepareRoot(
  ports: { readonly store: Store; readonly runners: RunnerDirectory },
  request: Registration,
): Promise<PreparedRoot> {
  const facts = await locateRoot(ports.runners, request)
  const missing = facts.kind === "missing"
  if (missing && !request.create) {
    throw new ToolError("path_not_found", "There is no such directory. Send an existing one, or create:true.")
  }
  const live = await ports.store.read((tx) => existing(tx, request, facts.realPath))
  const initialise = request.gitInit && !facts.git && live === undefined
  if (!missing && !initialise) return { facts, createdDirectory: false }
  const { roots } = requireRunner(ports.runners, request.clientId)
  return { facts: await roots.create(facts.realPath, { gitInit: request.gitInit }), createdDirectory: missing }
}

const folderOf = (root: string): string => root.slice(root.lastIndexOf("/") + 1)

async function chooseSlug(tx: Tx, request: Registration, root: string): Promise<string> {
  if (request.slug !== undefined) return request.slug
  const base = slugOfFolder(folderOf(root))
  return freeSlug(base, await tx.projects.slugsFrom(base))
}

/** Brings an ended registration back under its own internal key, so that its Sessions and Jobs belong to it again. */
async function revive(tx: Tx, retired: Project, texts: Described, at: number): Promise<Project> {
  const { unregisteredAt: _ended, ...kept } = retired
  const project: Project = { ...kept, ...texts, revision: retired.revision + 1, updatedAt: at }
  if (await tx.projects.update(project, retired.revision)) return project
  throw new ToolError("internal_error", "The Project changed in the same moment. Register it again.")
}

type Described = Pick<Project, "title" | "description">

/** Title and description as they are stored: with their secrets masked. */
const described = ({ title, description }: Registration, secrets: TextMask): Described => ({
  ...(title === undefined ? {} : { title: storedText(secrets, title, MAX_PROJECT_TITLE) }),
  ...(description === undefined ? {} : { description: storedText(secrets, description, MAX_PROJECT_DESCRIPTION) }),
})

/** What making a registration needs beside the request. */
export interface RegistrationFacts {
  readonly facts: RootFacts
  readonly ids: Pick<Ids, "projectPk">
  readonly secrets: TextMask
  /** Wall clock, ms. */
  readonly at: number
}

/**
 * Registers a prepared root in the caller's transaction (spec kernel.md §9): the same root gives the Project it is
 * already; the same slug on the same root revives its ended registration.
 * @throws ToolError `project_exists`
 */
export async function registerRoot(
  tx: Tx,
  request: Registration,
  { facts, ids, secrets, at }: RegistrationFacts,
): Promise<Registered> {
  const root = facts.realPath
  const live = await existing(tx, request, root)
  if (live !== undefined) return { project: live, created: false }
  const { clientId } = request
  const slug = await chooseSlug(tx, request, root)
  const texts = described(request, secrets)
  const retired = await tx.projects.retired(slug, clientId, root)
  if (retired !== undefined) return { project: await revive(tx, retired, texts, at), created: true }
  const project: Project = {
    pk: ids.projectPk(),
    slug,
    clientId,
    root,
    ...texts,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  }
  await tx.projects.insert(project)
  return { project, created: true }
}

/** Ports of a registration outside a call: start-up with configured Projects, and the CLI. */
export interface RegistrationPorts {
  readonly store: Store
  readonly runners: RunnerDirectory
  readonly ids: Pick<Ids, "projectPk">
  readonly secrets: TextMask
  readonly clock: { now(): number }
}

/**
 * Registers a directory with the operator's authority, also outside `allowed_roots`, never in a forbidden place
 * (spec kernel.md §9).
 * @throws ToolError `path_not_allowed`, `path_not_found`, `project_exists`
 */
export async function registerAsOperator(
  ports: RegistrationPorts,
  entry: Pick<Registration, "path" | "slug" | "title" | "description" | "allowedRoots"> & {
    readonly clientId?: string
  },
): Promise<Registered> {
  const request: Registration = {
    clientId: "local",
    ...entry,
    operator: true,
    create: false,
    gitInit: false,
  }
  const { facts } = await prepareRoot(ports, request)
  return await ports.store.write((tx) => registerRoot(tx, request, { ...ports, facts, at: ports.clock.now() }))
}
