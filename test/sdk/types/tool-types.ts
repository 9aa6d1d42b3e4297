// Checked by tsc alone (test/sdk/types.test.ts): the SDK's types of every tool are those of its definition (spec doors.md §5.2).
import type { z } from "zod"
import type { allTools } from "../../../core/tools.ts"
import type { ToolInput, ToolName, ToolOutput } from "../../../sdk/index.ts"

/** Whether two types are the same one; assignable both ways is not enough. */
export type Equal<A, B> =
  (<Probe>() => Probe extends A ? 1 : 2) extends <Probe>() => Probe extends B ? 1 : 2 ? true : false

type OptionalKey<T> = { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? Key : never }[keyof T]

/** What a type says, written one way: brands removed, `?: T` and `?: T | undefined` alike, intersections flattened. */
type Shape<T> = T extends string
  ? T extends z.$brand
    ? string
    : T
  : T extends readonly (infer Item)[]
    ? Shape<Item>[]
    : T extends object
      ? {
          [Key in keyof T]-?: Key extends OptionalKey<T>
            ? { optional: Shape<Exclude<T[Key], undefined>> }
            : Shape<T[Key]>
        }
      : T

type Definition = (typeof allTools)[number]
type DefinitionOf<Name> = Extract<Definition, { readonly name: Name }>

type OtherInput = {
  [Name in ToolName]: Equal<Shape<ToolInput<Name>>, Shape<z.input<DefinitionOf<Name>["input"]>>> extends true
    ? never
    : Name
}[ToolName]
type OtherOutput = {
  [Name in ToolName]: Equal<Shape<ToolOutput<Name>>, Shape<z.output<DefinitionOf<Name>["output"]>>> extends true
    ? never
    : Name
}[ToolName]

/** An error here names the tool. */
export const namesOfInputsThatDiffer: Equal<OtherInput, never> extends true ? [] : OtherInput = []
/** An error here names the tool. */
export const namesOfOutputsThatDiffer: Equal<OtherOutput, never> extends true ? [] : OtherOutput = []
export const sameNames: Equal<ToolName, Definition["name"]> = true

/** The comparison is able to say no. */
export const controls: [
  Equal<Shape<{ a?: string }>, Shape<{ a?: string | undefined }>>,
  Equal<Shape<{ a: z.$brand & string }>, Shape<{ a: string }>>,
  Equal<Shape<{ a?: string }>, Shape<{ a: string }>>,
  Equal<Shape<{ a: "x" | "y" }>, Shape<{ a: string }>>,
  Equal<Shape<{ a: number | null }[]>, Shape<{ a: number }[]>>,
] = [true, true, false, false, false]
