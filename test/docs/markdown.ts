import { globSync, readFileSync } from "node:fs"
import path from "node:path"
import { REPOSITORY } from "../support/build.ts"

/** One fenced block of a page. */
export interface Block {
  /** Page and line, such as `docs/access.md:14`. */
  readonly at: string
  readonly page: string
  readonly language: string
  readonly text: string
}

/** README, CONTRIBUTING and every page of docs/, relative to the repository. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("docs/*.md", { cwd: REPOSITORY }).toSorted(),
]

/** The text of a file of the repository. */
export const read = (file: string): string => readFileSync(path.join(REPOSITORY, file), "utf8")

/** Fenced blocks of a page, of one language if named. */
export function blocksOf(page: string, language?: string): readonly Block[] {
  const text = read(page)
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .map(({ index, 1: name = "", 2: body = "" }) => ({
      at: `${page}:${text.slice(0, index).split("\n").length}`,
      page,
      language: name,
      text: body,
    }))
    .filter((block) => language === undefined || block.language === language)
}

/** Fenced blocks of every page. */
export const blocksIn = (language: string): readonly Block[] => PAGES.flatMap((page) => blocksOf(page, language))

/** Examples in doc comments of the files that a consumer imports. */
export function docExamples(): readonly Block[] {
  const files = [...globSync("sdk/*.ts", { cwd: REPOSITORY }).toSorted(), "server/holdfast.ts"]
  return files.flatMap((page) => {
    const text = read(page)
    return [...text.matchAll(/@example\s*\n((?:\s*\*[^\n]*\n)+?)\s*\*\//g)].map(({ index, 1: comment = "" }) => {
      const plain = comment.replaceAll(/^\s*\* ?/gm, "")
      return {
        at: `${page}:${text.slice(0, index).split("\n").length}`,
        page,
        language: "ts",
        text: /```ts\n([\s\S]*?)```/.exec(plain)?.[1] ?? "",
      }
    })
  })
}
