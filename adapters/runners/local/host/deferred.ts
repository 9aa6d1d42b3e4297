/** A promise with its resolver outside of it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** For results that arrive by an event. */
export function createDeferred<T = void>(): Deferred<T> {
  let settle: ((value: T) => void) | undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle?.(value) }
}
