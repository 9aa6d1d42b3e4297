import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import { contextOf } from "../http/context.ts"
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
    return contextOf(request).deps.accounts.createToken(body)
  }

  /** Tokens of one user or of all. */
  @Post("list")
  @SuccessResponse(200, "The tokens")
  async listTokens(@Body() body: ListTokensBody, @Request() request: HttpRequest): Promise<CredentialsReply> {
    return contextOf(request).deps.accounts.listTokens(body)
  }

  /** Revokes a token with the next call; idempotent. */
  @Post("revoke")
  @SuccessResponse(200, "The token")
  async revokeToken(@Body() body: RevokeBody, @Request() request: HttpRequest): Promise<RevokedCredentialReply> {
    return contextOf(request).deps.accounts.revokeToken(body)
  }
}
