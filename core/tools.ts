import { discoveryTools } from "./discovery/tools.ts"
import { overviewTools } from "./files/overview/tools.ts"
import { searchTools } from "./files/search/tools.ts"
import { applyTextEditsTool, readFilesTool } from "./files/tools.ts"
import { gitTools } from "./git/tools.ts"
import { jobTools } from "./jobs/tools.ts"
import { messageTools } from "./messages/tools.ts"
import { projectTools } from "./projects/tools.ts"
import { sessionTools } from "./sessions/tools.ts"
import { shellTools } from "./shells/tools.ts"
import { workflowTools } from "./workflow/tools.ts"

/** Every tool of the product in catalogue order (spec kernel.md §8). The one list; everything else derives from it. */
export const allTools = [
  ...discoveryTools,
  ...projectTools,
  ...sessionTools,
  ...messageTools,
  ...workflowTools,
  ...jobTools,
  ...shellTools,
  ...overviewTools,
  readFilesTool,
  ...searchTools,
  applyTextEditsTool,
  ...gitTools,
] as const
