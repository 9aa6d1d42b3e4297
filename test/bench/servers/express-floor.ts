// Bare Express 5: JSON in, the same JSON out. `/recorded` also writes what a recorded call writes at least, `/posted` what a post
// on the board of a Session does; `/document` sends a prepared text, or 304 to whom has it.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import express from "express"
import { openRawBoard } from "../raw-board.ts"
import { openRawLedger } from "../raw-ledger.ts"
import { listen } from "./report.ts"

const [database, document, board] = process.argv.slice(2)
const app = express()
app.use(express.json({ limit: "4mb" }))
app.post("/echo", (request, response) => {
  response.json(request.body)
})
app.post("/accept", (_request, response) => {
  response.json({ success: true, output: {} })
})
if (database !== undefined && database !== "-") {
  const raw = openRawLedger(database)
  app.post("/recorded", (request, response) => {
    raw.recordCall()
    response.json(request.body)
  })
}
if (database !== undefined && board !== undefined) {
  const raw = openRawBoard(database, board)
  app.post("/posted", (request, response) => {
    raw.post()
    response.json(request.body)
  })
}
if (document !== undefined && document !== "-") {
  const bytes = readFileSync(document)
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`
  app.get("/document", (_request, response) => {
    response.set({ ETag: etag, "Content-Type": "application/json; charset=utf-8" })
    response.send(bytes)
  })
  app.post("/document", (_request, response) => {
    response.type("application/json").send(bytes)
  })
}
listen(createServer(app))
