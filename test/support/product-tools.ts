import { discoveryTools } from "../../core/discovery/tools.ts"
import { overviewTools } from "../../core/files/overview/tools.ts"
import { searchTools } from "../../core/files/search/tools.ts"
import { applyTextEditsTool, readFilesTool } from "../../core/files/tools.ts"
import { gitTools } from "../../core/git/tools.ts"
import { projectTools } from "../../core/projects/tools.ts"
import { sessionTools } from "../../core/sessions/tools.ts"
import { workflowTools } from "../../core/workflow/tools.ts"
export const allTools = [
  ...discoveryTools,
  ...projectTools,
  ...sessionTools,
  ...workflowTools,
  ...overviewTools,
  ...searchTools,
  readFilesTool,
  {
    ...applyTextEditsTool,
    description: "Edits, creates and replaces files.",
    reduce: applyTextEditsTool.reduce.map((r) => ({ ...r, min: 0 })),
  },
  ...gitTools,
]
