import { Body, Controller, Post, Request, Response, Route, Security, SuccessResponse, Tags } from "@tsoa/runtime"
import type { Request as HttpRequest } from "express"
import { addUserSchema, userNameSchema } from "../../core/access/account-inputs.ts"
import { requireDelegable } from "../../core/access/delegation.ts"
import { callerOf } from "../http/authentication.ts"
import { contextOf } from "../http/context.ts"
import { parseBody } from "../http/validation-error.ts"
import type { AddUserBody, DisabledUserReply, NoBody, UserBody, UserReply, UsersReply } from "./account-types.ts"
import type { ErrorReply } from "./replies.ts"

/** Users. */
@Route("api/users")
@Tags("operator")
@Security("bearer", ["account:manage"])
@Response<ErrorReply>("default", "Refused")
export class UsersController extends Controller {
  /** Adds a user under a name that was never given out. */
  @Post("add")
  @SuccessResponse(200, "The user")
  async addUser(@Body() body: AddUserBody, @Request() request: HttpRequest): Promise<UserReply> {
    const context = contextOf(request)
    const input = parseBody(addUserSchema, body, context.deps.schemaHash)
    requireDelegable(callerOf(context), input)
    return context.deps.accounts.addUser(input)
  }

  /** All users. */
  @Post("list")
  @SuccessResponse(200, "The users")
  async listUsers(@Body() _body: NoBody, @Request() request: HttpRequest): Promise<UsersReply> {
    return contextOf(request).deps.accounts.listUsers()
  }

  /** Disables a user; their tokens stop with the next call. */
  @Post("disable")
  @SuccessResponse(200, "The user")
  async disableUser(@Body() body: UserBody, @Request() request: HttpRequest): Promise<DisabledUserReply> {
    const { accounts, schemaHash } = contextOf(request).deps
    return accounts.disableUser(parseBody(userNameSchema, body, schemaHash))
  }
}
