import { sql } from "kysely"
import type { ProjectPk } from "../../../core/kernel/ids.ts"
import type { Project } from "../../../core/projects/record.ts"
import type { ProjectStore } from "../../../core/projects/store.ts"
import type { Queries } from "../queries.ts"
import { projectOf, projectRow } from "../rows/project-row.ts"
import { statement } from "../statement.ts"

const byPk = statement<{ pk: ProjectPk }>()((db, param) =>
  db.selectFrom("projects").selectAll().where("pk", "=", param("pk")),
)
const bySlug = statement<{ slug: string }>()((db, param) =>
  db
    .selectFrom("projects")
    .selectAll()
    .where("slug", "=", param("slug"))
    .orderBy(sql`case when unregistered_at is null then 0 else 1 end`)
    .orderBy("unregistered_at", "desc")
    .limit(1),
)

type Filter = Parameters<ProjectStore["list"]>[0]

/** Live registrations that the filter's exact members allow. */
function liveRows(queries: Queries, { slugs, clientId }: Filter) {
  let select = queries.builder.selectFrom("projects").where("unregistered_at", "is", null)
  if (slugs !== "*") select = select.where("slug", "in", slugs)
  if (clientId !== undefined) select = select.where("client_id", "=", clientId)
  return select
}

/** A page and total without a text query: the database cuts. */
async function page(queries: Queries, filter: Filter) {
  const count = liveRows(queries, filter).select((select) => select.fn.countAll<number>().as("total"))
  let rows = liveRows(queries, filter).selectAll().orderBy("slug").limit(filter.limit)
  if (filter.afterSlug !== undefined) rows = rows.where("slug", ">", filter.afterSlug)
  const projects = (await queries.all(rows.compile())).map(projectOf)
  return { projects, total: Number((await queries.first(count.compile()))?.total ?? 0) }
}

/** A page and total with a text query; letters are compared here, since databases fold only ASCII alike. */
async function search(queries: Queries, filter: Filter, query: string) {
  const wanted = query.toLowerCase()
  const matches = ({ slug, title, description }: Project): boolean =>
    [slug, title, description].some((text) => text?.toLowerCase().includes(wanted))
  const rows = await queries.all(liveRows(queries, filter).selectAll().orderBy("slug").compile())
  const found = rows.map(projectOf).filter(matches)
  const after = filter.afterSlug ?? ""
  return { projects: found.filter(({ slug }) => slug > after).slice(0, filter.limit), total: found.length }
}

/** Table `projects`. */
export function createProjectStore(queries: Queries): ProjectStore {
  const { builder } = queries
  const select = () => builder.selectFrom("projects").selectAll()
  return {
    async byPk(pk) {
      const row = await queries.first(queries.bind(byPk, { pk }))
      return row && projectOf(row)
    },
    async bySlug(slug) {
      const row = await queries.first(queries.bind(bySlug, { slug }))
      return row && projectOf(row)
    },
    async liveByRoot(clientId, root) {
      const live = select().where("unregistered_at", "is", null)
      const row = await queries.first(live.where("client_id", "=", clientId).where("root", "=", root).compile())
      return row && projectOf(row)
    },
    async retired(slug, clientId, root) {
      const ended = select().where("unregistered_at", "is not", null).where("slug", "=", slug)
      const same = ended.where("client_id", "=", clientId).where("root", "=", root)
      const row = await queries.first(same.orderBy("unregistered_at", "desc").limit(1).compile())
      return row && projectOf(row)
    },
    async list(filter) {
      if (filter.slugs !== "*" && filter.slugs.length === 0) return { projects: [], total: 0 }
      return filter.query === undefined ? page(queries, filter) : search(queries, filter, filter.query)
    },
    async slugsFrom(prefix) {
      const live = builder.selectFrom("projects").select("slug").where("unregistered_at", "is", null)
      const starting = live.where(sql<boolean>`substr(slug, 1, ${prefix.length}) = ${prefix}`)
      return (await queries.all(starting.orderBy("slug").compile())).map(({ slug }) => slug)
    },
    liveRoots(clientId) {
      const live = builder.selectFrom("projects").select(["pk", "root"]).where("unregistered_at", "is", null)
      return queries.all(live.where("client_id", "=", clientId).orderBy("slug").compile())
    },
    async insert(project) {
      await queries.change(builder.insertInto("projects").values(projectRow(project)).compile())
    },
    async update(project, expectedRevision) {
      const { pk, ...columns } = projectRow(project)
      const update = builder.updateTable("projects").set(columns).where("pk", "=", pk)
      return (await queries.change(update.where("revision", "=", expectedRevision).compile())) > 0
    },
    async count() {
      const count = builder.selectFrom("projects").where("unregistered_at", "is", null)
      const row = await queries.first(count.select((of) => of.fn.countAll<number>().as("total")).compile())
      return Number(row?.total ?? 0)
    },
  }
}
