import type { Controller } from "@tsoa/runtime"
import type { Request } from "express"
import { contextOf } from "../http/context.ts"
import type { OperatorTools } from "../http/deps.ts"
import { callTool } from "../http/tool-call.ts"
import type { ToolReply } from "./replies.ts"

/** Answers an operator route with one call of the tool behind it; the kernel alone parses the body (spec doors.md §2.1). */
export function operatorReply(controller: Controller, request: Request, tool: keyof OperatorTools): Promise<ToolReply> {
  return toolReply(controller, request, { tool: contextOf(request).deps.operatorTools[tool], keyed: false })
}

/** Answers a request with one call of a tool and the status that the kernel gave it. */
export async function toolReply(
  controller: Controller,
  request: Request,
  call: { readonly tool: string; readonly keyed: boolean },
): Promise<ToolReply> {
  const { status, result } = await callTool(contextOf(request), request, call)
  controller.setStatus(status)
  return result
}
