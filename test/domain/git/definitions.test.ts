import { expect, it } from "vitest"
import { overviewTools } from "../../../core/files/overview/tools.ts"
import { searchTools } from "../../../core/files/search/tools.ts"
import { gitTools } from "../../../core/git/tools.ts"
import { lintDefinitions } from "../../../core/kernel/lint/lint.ts"

it("the definitions of search, overview and git keep the registry's rules", () => {
  const definitions = [...overviewTools, ...searchTools, ...gitTools]
  expect(lintDefinitions(definitions)).toEqual([])
  expect(definitions.map(({ name, surfaces }) => [name, ...surfaces])).toEqual([
    ["project_overview", "coding"],
    ["search_project_texts", "coding"],
    ["git_status"],
    ["git_diff", "coding"],
  ])
})
