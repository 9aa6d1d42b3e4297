import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import { createGrantSchema, revokeSchema } from "../../core/access/account-inputs.ts"
import { requireDelegable } from "../../core/access/delegation.ts"
import { callerOf } from "../http/authentication.ts"
import { contextOf } from "../http/context.ts"
import { parseBody } from "../http/validation-error.ts"
import type {
  CreateGrantBody,
  CredentialsReply,
  NewCredentialReply,
  NoBody,
  RevokeBody,
  RevokedCredentialReply,
} from "./account-types.ts"
import type { ErrorReply } from "./replies.ts"

/** Project grants: capabilities for listed Projects, not persons. */
@Route("api/grants")
@Tags("operator")
@Security("bearer", ["account:manage"])
@Response<ErrorReply>("default", "Refused")
export class GrantsController extends Controller {
  /** Makes a grant; its secret is in this reply and nowhere else. */
  @Post("create")
  @SuccessResponse(200, "The grant")
  async createGrant(@Body() body: CreateGrantBody, @Request() request: HttpRequest): Promise<NewCredentialReply> {
    const context = contextOf(request)
    const input = parseBody(createGrantSchema, body, context.deps.schemaHash)
    requireDelegable(callerOf(context), input)
    return context.deps.accounts.createGrant(input)
  }

  /** All grants. */
  @Post("list")
  @SuccessResponse(200, "The grants")
  async listGrants(@Body() _body: NoBody, @Request() request: HttpRequest): Promise<CredentialsReply> {
    return contextOf(request).deps.accounts.listGrants()
  }

  /** Revokes a grant with the next call; idempotent. */
  @Post("revoke")
  @SuccessResponse(200, "The grant")
  async revokeGrant(@Body() body: RevokeBody, @Request() request: HttpRequest): Promise<RevokedCredentialReply> {
    const { accounts, schemaHash } = contextOf(request).deps
    return accounts.revokeGrant(parseBody(revokeSchema, body, schemaHash))
  }
}
