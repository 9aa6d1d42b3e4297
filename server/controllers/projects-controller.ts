import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import type { ErrorReply, ToolInput, ToolReply } from "./replies.ts"
import { operatorReply } from "./tool-reply.ts"

/** Registered Projects. */
@Route("api/projects")
@Tags("operator")
@Security("bearer")
@Response<ErrorReply>("default", "Refused")
export class ProjectsController extends Controller {
  /** Projects that the caller may access. */
  @Post("list")
  @SuccessResponse(200, "The ToolResult")
  async listOperatorProjects(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "listProjects")
  }

  /** Registers a directory as a Project. */
  @Post("register")
  @SuccessResponse(200, "The ToolResult")
  async registerOperatorProject(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "registerProject")
  }

  /** Ends a registration; deletes no file. */
  @Post("unregister")
  @SuccessResponse(200, "The ToolResult")
  async unregisterOperatorProject(@Body() _input: ToolInput, @Request() request: HttpRequest): Promise<ToolReply> {
    return operatorReply(this, request, "unregisterProject")
  }
}
