import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readLegalFile } from "../../../../server/legal/legal-file.ts"
import { privacyPage } from "../../../../server/legal/privacy-page.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holdfast-legal-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe("the privacy page", () => {
  it("names the contact as text, never as markup", () => {
    expect(privacyPage({ contact: "<b>ops@h.example</b>" })).toContain("<p>&#60;b&#62;ops@h.example&#60;/b&#62;</p>")
  })

  it("is replaced by a file of at most 64 KiB; a longer or missing one stops the start", async () => {
    const file = path.join(folder, "legal.html")
    await writeFile(file, "<p>é</p>")
    expect(await readLegalFile(file)).toBe("<p>é</p>")
    await writeFile(file, "x".repeat(65_536))
    expect(await readLegalFile(file)).toHaveLength(65_536)
    await writeFile(file, "x".repeat(65_537))
    await expect(readLegalFile(file)).rejects.toThrow(/^legal_file: .* is over 65536 bytes/)
    await expect(readLegalFile(path.join(folder, "none"))).rejects.toThrow(/^legal_file: .* cannot be read/)
  })
})
