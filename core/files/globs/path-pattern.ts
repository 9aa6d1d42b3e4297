import { type ComponentMatcher, compileComponent, fitsSequence, splitPattern } from "./component.ts"

/** Stands for any number of components. */
const ANY_DEPTH = "**"
type Step = ComponentMatcher | typeof ANY_DEPTH

const by = {
  isStar: (step: Step): boolean => step === ANY_DEPTH,
  fits: (step: Step, component: string): boolean => step !== ANY_DEPTH && step(component),
}

/**
 * Compiles a pattern of components between slashes, of which `**` stands for any number, none included. It is matched
 * with a whole path, in time bounded by the product of both lengths.
 * @throws GlobSyntaxError
 */
export function compilePathPattern(pattern: string): (path: string) => boolean {
  const steps = splitPattern(pattern).map((part): Step => (/^\*\*+$/.test(part) ? ANY_DEPTH : compileComponent(part)))
  const [only] = steps
  if (steps.length === 2 && only === ANY_DEPTH) {
    const last = steps[1]
    if (last !== undefined && last !== ANY_DEPTH) return (path) => last(path.slice(path.lastIndexOf("/") + 1))
  }
  return (path) => fitsSequence(steps, path.split("/"), by)
}
