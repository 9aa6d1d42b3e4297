import { Body, Controller, Hidden, Path, Post, Request, Route, Security, SuccessResponse } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import type { ToolInput, ToolReply } from "./replies.ts"
import { toolReply } from "./tool-reply.ts"

/** Every tool of the registry, through one route; the documents describe each from its definition (spec doors.md §3.1). */
@Hidden()
@Route("tools")
@Security("bearer")
export class ToolsController extends Controller {
  /** Runs one tool. */
  @Post("{name}")
  @SuccessResponse(200, "The ToolResult")
  async runTool(@Path() name: string, @Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return toolReply(this, request, { tool: name, keyed: true })
  }
}
