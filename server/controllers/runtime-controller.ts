import { Controller, Get, Query, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import { contextOf } from "../http/context.ts"
import { streamRuntime } from "../http/event-stream.ts"
import type { ErrorReply } from "./replies.ts"

/** What runs now. */
@Route("api/runtime")
@Tags("operator")
@Response<ErrorReply>("default", "Refused")
export class RuntimeController extends Controller {
  /**
   * Follows the caller's live shells and Jobs, as Server-Sent Events.
   * @param _after Go on behind the event with this id.
   */
  @Get("stream")
  @Security("bearer", ["runtime:read"])
  @SuccessResponse(200, "shell_opened, command_started, output, gap, command_ended, shell_closed", "text/event-stream")
  async watchRuntime(@Request() request: HttpRequest, @Query("after") _after?: string): Promise<string> {
    // Express parses no query here; the stream reads the one the gate admitted.
    if (request.res !== undefined) await streamRuntime(contextOf(request), request.rawHeaders, request.res)
    return ""
  }
}
