/* tslint:disable */
/* eslint-disable */
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import type { TsoaRoute } from '@tsoa/runtime';
import {  fetchMiddlewares, ExpressTemplateService } from '@tsoa/runtime';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { WorkflowSessionsController } from './../controllers/workflow-sessions-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { UsersController } from './../controllers/users-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { ToolsController } from './../controllers/tools-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { TokensController } from './../controllers/tokens-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { StatusController } from './../controllers/status-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { RuntimeController } from './../controllers/runtime-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { ProjectsController } from './../controllers/projects-controller.ts';
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import { GrantsController } from './../controllers/grants-controller.ts';
import { expressAuthentication } from './../http/authentication.ts';
// @ts-ignore - no great way to install types from subpackage
import type { Request as ExRequest, Response as ExResponse, RequestHandler, Router } from 'express';

const expressAuthenticationRecasted = expressAuthentication as (req: ExRequest, securityName: string, scopes?: string[], res?: ExResponse) => Promise<any>;


// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

const models: TsoaRoute.Models = {
    "ErrorReplyBody": {
        "dataType": "refObject",
        "properties": {
            "kind": {"dataType":"string","required":true},
            "message": {"dataType":"string","required":true},
            "recovery": {"dataType":"union","subSchemas":[{"dataType":"enum","enums":["fix_input"]},{"dataType":"enum","enums":["reobserve"]},{"dataType":"enum","enums":["retry_same"]},{"dataType":"enum","enums":["retry_later"]},{"dataType":"enum","enums":["reauthorize"]},{"dataType":"enum","enums":["none"]}],"required":true},
            "execution_state": {"dataType":"union","subSchemas":[{"dataType":"enum","enums":["not_started"]},{"dataType":"enum","enums":["running"]},{"dataType":"enum","enums":["completed"]},{"dataType":"enum","enums":["timed_out"]},{"dataType":"enum","enums":["cancelled"]},{"dataType":"enum","enums":["outcome_unknown"]}]},
            "retry_after_ms": {"dataType":"integer"},
            "details": {"dataType":"any"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ErrorReply": {
        "dataType": "refObject",
        "properties": {
            "success": {"dataType":"enum","enums":[false],"required":true},
            "error": {"ref":"ErrorReplyBody","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ToolReply": {
        "dataType": "refObject",
        "properties": {
            "success": {"dataType":"boolean","required":true},
            "output": {"dataType":"any"},
            "error": {"ref":"ErrorReplyBody"},
            "attached": {"dataType":"any"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "Record_string.unknown_": {
        "dataType": "refAlias",
        "type": {"dataType":"nestedObjectLiteral","nestedProperties":{},"additionalProperties":{"dataType":"any"},"validators":{}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ToolInput": {
        "dataType": "refAlias",
        "type": {"ref":"Record_string.unknown_","validators":{}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "UserView": {
        "dataType": "refObject",
        "properties": {
            "name": {"dataType":"string","required":true},
            "projects": {"dataType":"array","array":{"dataType":"string"},"required":true},
            "scopes": {"dataType":"array","array":{"dataType":"string"},"required":true},
            "created_at": {"dataType":"double","required":true},
            "disabled_at": {"dataType":"double"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "UserReply": {
        "dataType": "refObject",
        "properties": {
            "user": {"ref":"UserView","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "UserName": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"pattern","value":"^[a-z0-9][a-z0-9._-]{0,31}$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ScopeName": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"pattern","value":"^[a-z]+(:[a-z]+)?$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ProjectChoice": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"pattern","value":"^(\\*|[a-z0-9][a-z0-9._-]{0,63})$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "AddUserBody": {
        "dataType": "refObject",
        "properties": {
            "name": {"ref":"UserName","required":true},
            "scopes": {"dataType":"array","array":{"dataType":"refAlias","ref":"ScopeName"},"validators":{"minItems":{"errorMsg":"too_small","value":1},"maxItems":{"errorMsg":"too_big","value":32}}},
            "projects": {"dataType":"array","array":{"dataType":"refAlias","ref":"ProjectChoice"},"validators":{"maxItems":{"errorMsg":"too_big","value":256}}},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "UsersReply": {
        "dataType": "refObject",
        "properties": {
            "users": {"dataType":"array","array":{"dataType":"refObject","ref":"UserView"},"required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "Record_string.never_": {
        "dataType": "refAlias",
        "type": {"dataType":"nestedObjectLiteral","nestedProperties":{},"validators":{}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "NoBody": {
        "dataType": "refAlias",
        "type": {"ref":"Record_string.never_","validators":{}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "DisabledUserReply": {
        "dataType": "refObject",
        "properties": {
            "user": {"ref":"UserView","required":true},
            "already_disabled": {"dataType":"boolean","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "UserBody": {
        "dataType": "refObject",
        "properties": {
            "name": {"ref":"UserName","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "CredentialView": {
        "dataType": "refObject",
        "properties": {
            "id": {"dataType":"string","required":true},
            "kind": {"dataType":"string","required":true},
            "principal_id": {"dataType":"string","required":true},
            "hint": {"dataType":"string","required":true},
            "name": {"dataType":"string","required":true},
            "scopes": {"dataType":"array","array":{"dataType":"string"},"required":true},
            "projects": {"dataType":"array","array":{"dataType":"string"}},
            "mode": {"dataType":"string"},
            "created_at": {"dataType":"double","required":true},
            "expires_at": {"dataType":"double"},
            "last_used_at": {"dataType":"double"},
            "revoked_at": {"dataType":"double"},
            "revoked_reason": {"dataType":"string"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "NewCredentialReply": {
        "dataType": "refObject",
        "properties": {
            "credential": {"ref":"CredentialView","required":true},
            "token": {"dataType":"string","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "Label": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"minLength":{"errorMsg":"too_small","value":1},"maxLength":{"errorMsg":"too_big","value":80}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ProjectSlug": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"pattern","value":"^[a-z0-9][a-z0-9._-]{0,63}$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ModeName": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"enum","value":"^(trusted_agent|restricted)$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "LifeSecs": {
        "dataType": "refAlias",
        "type": {"dataType":"integer","validators":{"isInt":{"errorMsg":"type"},"minimum":{"errorMsg":"too_small","value":3600},"maximum":{"errorMsg":"too_big","value":315360000}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "CreateTokenBody": {
        "dataType": "refObject",
        "properties": {
            "user": {"ref":"UserName","required":true},
            "name": {"ref":"Label","required":true},
            "scopes": {"dataType":"array","array":{"dataType":"refAlias","ref":"ScopeName"},"validators":{"minItems":{"errorMsg":"too_small","value":1},"maxItems":{"errorMsg":"too_big","value":32}}},
            "projects": {"dataType":"array","array":{"dataType":"refAlias","ref":"ProjectSlug"},"validators":{"maxItems":{"errorMsg":"too_big","value":256}}},
            "mode": {"ref":"ModeName"},
            "expires_in_secs": {"ref":"LifeSecs"},
            "never": {"dataType":"boolean","validators":{"isBoolean":{"errorMsg":"type"}}},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "CredentialsReply": {
        "dataType": "refObject",
        "properties": {
            "credentials": {"dataType":"array","array":{"dataType":"refObject","ref":"CredentialView"},"required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "ListTokensBody": {
        "dataType": "refObject",
        "properties": {
            "user": {"ref":"UserName"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "RevokedCredentialReply": {
        "dataType": "refObject",
        "properties": {
            "credential": {"ref":"CredentialView","required":true},
            "already_revoked": {"dataType":"boolean","required":true},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "CredentialName": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"pattern":{"errorMsg":"pattern","value":"^cred_[a-z2-7]{16}$"}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "Reason": {
        "dataType": "refAlias",
        "type": {"dataType":"string","validators":{"isString":{"errorMsg":"type"},"minLength":{"errorMsg":"too_small","value":1},"maxLength":{"errorMsg":"too_big","value":200}}},
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "RevokeBody": {
        "dataType": "refObject",
        "properties": {
            "id": {"ref":"CredentialName","required":true},
            "reason": {"ref":"Reason"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
    "CreateGrantBody": {
        "dataType": "refObject",
        "properties": {
            "name": {"ref":"Label","required":true},
            "projects": {"dataType":"array","array":{"dataType":"refAlias","ref":"ProjectSlug"},"required":true,"validators":{"minItems":{"errorMsg":"too_small","value":1},"maxItems":{"errorMsg":"too_big","value":256}}},
            "scopes": {"dataType":"array","array":{"dataType":"refAlias","ref":"ScopeName"},"validators":{"minItems":{"errorMsg":"too_small","value":1},"maxItems":{"errorMsg":"too_big","value":32}}},
            "mode": {"ref":"ModeName"},
            "expires_in_secs": {"ref":"LifeSecs"},
        },
        "additionalProperties": false,
    },
    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
};
const templateService = new ExpressTemplateService(models, {"noImplicitAdditionalProperties":"throw-on-extras","bodyCoercion":false});

// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa




export function RegisterRoutes(app: Router) {

    // ###########################################################################################################
    //  NOTE: If you do not see routes for all of your controllers in this file, then you might not have informed tsoa of where to look
    //      Please look into the "controllerPathGlobs" config option described in the readme: https://github.com/lukeautry/tsoa
    // ###########################################################################################################


    
        const argsWorkflowSessionsController_summarizeWorkflowSession: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/workflow-sessions/summary',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(WorkflowSessionsController)),
            ...(fetchMiddlewares<RequestHandler>(WorkflowSessionsController.prototype.summarizeWorkflowSession)),

            async function WorkflowSessionsController_summarizeWorkflowSession(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsWorkflowSessionsController_summarizeWorkflowSession, request, response });

                const controller = new WorkflowSessionsController();

              await templateService.apiHandler({
                methodName: 'summarizeWorkflowSession',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsWorkflowSessionsController_closeWorkflowSession: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/workflow-sessions/close',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(WorkflowSessionsController)),
            ...(fetchMiddlewares<RequestHandler>(WorkflowSessionsController.prototype.closeWorkflowSession)),

            async function WorkflowSessionsController_closeWorkflowSession(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsWorkflowSessionsController_closeWorkflowSession, request, response });

                const controller = new WorkflowSessionsController();

              await templateService.apiHandler({
                methodName: 'closeWorkflowSession',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsUsersController_addUser: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"AddUserBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/users/add',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(UsersController)),
            ...(fetchMiddlewares<RequestHandler>(UsersController.prototype.addUser)),

            async function UsersController_addUser(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsUsersController_addUser, request, response });

                const controller = new UsersController();

              await templateService.apiHandler({
                methodName: 'addUser',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsUsersController_listUsers: Record<string, TsoaRoute.ParameterSchema> = {
                _body: {"in":"body","name":"_body","required":true,"ref":"NoBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/users/list',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(UsersController)),
            ...(fetchMiddlewares<RequestHandler>(UsersController.prototype.listUsers)),

            async function UsersController_listUsers(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsUsersController_listUsers, request, response });

                const controller = new UsersController();

              await templateService.apiHandler({
                methodName: 'listUsers',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsUsersController_disableUser: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"UserBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/users/disable',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(UsersController)),
            ...(fetchMiddlewares<RequestHandler>(UsersController.prototype.disableUser)),

            async function UsersController_disableUser(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsUsersController_disableUser, request, response });

                const controller = new UsersController();

              await templateService.apiHandler({
                methodName: 'disableUser',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsToolsController_runTool: Record<string, TsoaRoute.ParameterSchema> = {
                name: {"in":"path","name":"name","required":true,"dataType":"string"},
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/tools/:name',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(ToolsController)),
            ...(fetchMiddlewares<RequestHandler>(ToolsController.prototype.runTool)),

            async function ToolsController_runTool(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsToolsController_runTool, request, response });

                const controller = new ToolsController();

              await templateService.apiHandler({
                methodName: 'runTool',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsTokensController_createToken: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"CreateTokenBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/tokens/create',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(TokensController)),
            ...(fetchMiddlewares<RequestHandler>(TokensController.prototype.createToken)),

            async function TokensController_createToken(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsTokensController_createToken, request, response });

                const controller = new TokensController();

              await templateService.apiHandler({
                methodName: 'createToken',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsTokensController_listTokens: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"ListTokensBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/tokens/list',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(TokensController)),
            ...(fetchMiddlewares<RequestHandler>(TokensController.prototype.listTokens)),

            async function TokensController_listTokens(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsTokensController_listTokens, request, response });

                const controller = new TokensController();

              await templateService.apiHandler({
                methodName: 'listTokens',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsTokensController_revokeToken: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"RevokeBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/tokens/revoke',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(TokensController)),
            ...(fetchMiddlewares<RequestHandler>(TokensController.prototype.revokeToken)),

            async function TokensController_revokeToken(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsTokensController_revokeToken, request, response });

                const controller = new TokensController();

              await templateService.apiHandler({
                methodName: 'revokeToken',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsStatusController_readStatus: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/status',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(StatusController)),
            ...(fetchMiddlewares<RequestHandler>(StatusController.prototype.readStatus)),

            async function StatusController_readStatus(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsStatusController_readStatus, request, response });

                const controller = new StatusController();

              await templateService.apiHandler({
                methodName: 'readStatus',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsRuntimeController_watchRuntime: Record<string, TsoaRoute.ParameterSchema> = {
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
                _after: {"in":"query","name":"after","dataType":"string"},
        };
        app.get('/api/runtime/stream',
            authenticateMiddleware([{"bearer":["runtime:read"]}]),
            ...(fetchMiddlewares<RequestHandler>(RuntimeController)),
            ...(fetchMiddlewares<RequestHandler>(RuntimeController.prototype.watchRuntime)),

            async function RuntimeController_watchRuntime(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsRuntimeController_watchRuntime, request, response });

                const controller = new RuntimeController();

              await templateService.apiHandler({
                methodName: 'watchRuntime',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsProjectsController_listOperatorProjects: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/projects/list',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController)),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController.prototype.listOperatorProjects)),

            async function ProjectsController_listOperatorProjects(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsProjectsController_listOperatorProjects, request, response });

                const controller = new ProjectsController();

              await templateService.apiHandler({
                methodName: 'listOperatorProjects',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsProjectsController_registerOperatorProject: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/projects/register',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController)),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController.prototype.registerOperatorProject)),

            async function ProjectsController_registerOperatorProject(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsProjectsController_registerOperatorProject, request, response });

                const controller = new ProjectsController();

              await templateService.apiHandler({
                methodName: 'registerOperatorProject',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsProjectsController_unregisterOperatorProject: Record<string, TsoaRoute.ParameterSchema> = {
                _input: {"in":"body","name":"_input","required":true,"ref":"ToolInput"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/projects/unregister',
            authenticateMiddleware([{"bearer":[]}]),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController)),
            ...(fetchMiddlewares<RequestHandler>(ProjectsController.prototype.unregisterOperatorProject)),

            async function ProjectsController_unregisterOperatorProject(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsProjectsController_unregisterOperatorProject, request, response });

                const controller = new ProjectsController();

              await templateService.apiHandler({
                methodName: 'unregisterOperatorProject',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsGrantsController_createGrant: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"CreateGrantBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/grants/create',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(GrantsController)),
            ...(fetchMiddlewares<RequestHandler>(GrantsController.prototype.createGrant)),

            async function GrantsController_createGrant(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsGrantsController_createGrant, request, response });

                const controller = new GrantsController();

              await templateService.apiHandler({
                methodName: 'createGrant',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsGrantsController_listGrants: Record<string, TsoaRoute.ParameterSchema> = {
                _body: {"in":"body","name":"_body","required":true,"ref":"NoBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/grants/list',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(GrantsController)),
            ...(fetchMiddlewares<RequestHandler>(GrantsController.prototype.listGrants)),

            async function GrantsController_listGrants(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsGrantsController_listGrants, request, response });

                const controller = new GrantsController();

              await templateService.apiHandler({
                methodName: 'listGrants',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        const argsGrantsController_revokeGrant: Record<string, TsoaRoute.ParameterSchema> = {
                body: {"in":"body","name":"body","required":true,"ref":"RevokeBody"},
                request: {"in":"request","name":"request","required":true,"dataType":"object"},
        };
        app.post('/api/grants/revoke',
            authenticateMiddleware([{"bearer":["account:manage"]}]),
            ...(fetchMiddlewares<RequestHandler>(GrantsController)),
            ...(fetchMiddlewares<RequestHandler>(GrantsController.prototype.revokeGrant)),

            async function GrantsController_revokeGrant(request: ExRequest, response: ExResponse, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            let validatedArgs: any[] = [];
            try {
                validatedArgs = templateService.getValidatedArgs({ args: argsGrantsController_revokeGrant, request, response });

                const controller = new GrantsController();

              await templateService.apiHandler({
                methodName: 'revokeGrant',
                controller,
                response,
                next,
                validatedArgs,
                successStatus: 200,
              });
            } catch (err) {
                return next(err);
            }
        });
        // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa


    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

    function authenticateMiddleware(security: TsoaRoute.Security[] = []) {
        return async function runAuthenticationMiddleware(request: any, response: any, next: any) {

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            // keep track of failed auth attempts so we can hand back the most
            // recent one.  This behavior was previously existing so preserving it
            // here
            const failedAttempts: any[] = [];
            const pushAndRethrow = (error: any) => {
                failedAttempts.push(error);
                throw error;
            };

            const secMethodOrPromises: Promise<any>[] = [];
            for (const secMethod of security) {
                if (Object.keys(secMethod).length > 1) {
                    const secMethodAndPromises: Promise<any>[] = [];

                    for (const name in secMethod) {
                        secMethodAndPromises.push(
                            expressAuthenticationRecasted(request, name, secMethod[name], response)
                                .catch(pushAndRethrow)
                        );
                    }

                    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

                    secMethodOrPromises.push(Promise.all(secMethodAndPromises)
                        .then(users => { return users[0]; }));
                } else {
                    for (const name in secMethod) {
                        secMethodOrPromises.push(
                            expressAuthenticationRecasted(request, name, secMethod[name], response)
                                .catch(pushAndRethrow)
                        );
                    }
                }
            }

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa

            try {
                request['user'] = await Promise.any(secMethodOrPromises);

                // Response was sent in middleware, abort
                if (response.writableEnded) {
                    return;
                }

                next();
            }
            catch(err) {
                // Show most recent error as response
                const error = failedAttempts.pop();
                error.status = error.status || 401;

                // Response was sent in middleware, abort
                if (response.writableEnded) {
                    return;
                }
                next(error);
            }

            // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
        }
    }

    // WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
}

// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
