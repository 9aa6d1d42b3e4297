import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import { createTokenSchema, listTokensSchema, revokeSchema } from "../../core/access/account-inputs.ts"
import { requireDelegable } from "../../core/access/delegation.ts"
import { callerOf } from "../http/authentication.ts"
import { contextOf } from "../http/context.ts"
import { parseBody } from "../http/validation-error.ts"
import type {
  CreateTokenBody,
  CredentialsReply,
  ListTokensBody,
  NewCredentialReply,
  RevokeBody,
  RevokedCredentialReply,
} from "./account-types.ts"
import type { ErrorReply } from "./replies.ts"

/** Tokens of users. */
@Route("api/tokens")
@Tags("operator")
@Security("bearer", ["account:manage"])
@Response<ErrorReply>("default", "Refused")
export class TokensController extends Controller {
  /** Makes a token; its secret is in this reply and nowhere else. */
  @Post("create")
  @SuccessResponse(200, "The token")
  async createToken(@Body() body: CreateTokenBody, @Request() request: HttpRequest): Promise<NewCredentialReply> {
    const context = contextOf(request)
    const input = parseBody(createTokenSchema, body, context.deps.schemaHash)
    requireDelegable(callerOf(context), input)
    return context.deps.accounts.createToken(input)
  }

  /** Tokens of one user or of all. */
  @Post("list")
  @SuccessResponse(200, "The tokens")
  async listTokens(@Body() body: ListTokensBody, @Request() request: HttpRequest): Promise<CredentialsReply> {
    const { accounts, schemaHash } = contextOf(request).deps
    return accounts.listTokens(parseBody(listTokensSchema, body, schemaHash))
  }

  /** Revokes a token with the next call; idempotent. */
  @Post("revoke")
  @SuccessResponse(200, "The token")
  async revokeToken(@Body() body: RevokeBody, @Request() request: HttpRequest): Promise<RevokedCredentialReply> {
    const { accounts, schemaHash } = contextOf(request).deps
    return accounts.revokeToken(parseBody(revokeSchema, body, schemaHash))
  }
}
