import type { z } from "zod"
import type { AnyToolDefinition } from "./definition.ts"

/** A tuple of definitions whose types are kept, as every `tools.ts` exports one. */
export type ToolTuple = readonly AnyToolDefinition[]

/** The names in a tuple. */
export type ToolNameIn<Tools extends ToolTuple> = Tools[number]["name"]

/** The definition of a name in a tuple. */
export type ToolIn<Tools extends ToolTuple, Name extends ToolNameIn<Tools>> = Extract<
  Tools[number],
  { readonly name: Name }
>

/** What a caller may send: defaults are optional. */
export type ToolInputIn<Tools extends ToolTuple, Name extends ToolNameIn<Tools>> = z.input<ToolIn<Tools, Name>["input"]>

/** What a success holds. */
export type ToolOutputIn<Tools extends ToolTuple, Name extends ToolNameIn<Tools>> = z.output<
  ToolIn<Tools, Name>["output"]
>
