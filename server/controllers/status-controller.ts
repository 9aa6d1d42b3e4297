import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import type { ErrorReply, ToolInput, ToolReply } from "./replies.ts"
import { operatorReply } from "./tool-reply.ts"

/** The state of this server. */
@Route("api/status")
@Tags("operator")
@Security("bearer")
@Response<ErrorReply>("default", "Refused")
export class StatusController extends Controller {
  /** Version, modes, limits and health of the server. */
  @Post()
  @SuccessResponse(200, "The ToolResult")
  async readStatus(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "status")
  }
}
