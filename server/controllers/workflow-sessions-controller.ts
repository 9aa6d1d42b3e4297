import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import type { ErrorReply, ToolInput, ToolReply } from "./replies.ts"
import { operatorReply } from "./tool-reply.ts"

/** Workflow Sessions. */
@Route("api/workflow-sessions")
@Tags("operator")
@Security("bearer")
@Response<ErrorReply>("default", "Refused")
export class WorkflowSessionsController extends Controller {
  /** A bounded view of one Session's ledger. */
  @Post("summary")
  @SuccessResponse(200, "The ToolResult")
  async summarizeWorkflowSession(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "sessionSummary")
  }

  /** Closes one Session; idempotent. */
  @Post("close")
  @SuccessResponse(200, "The ToolResult")
  async closeWorkflowSession(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "closeSession")
  }
}
