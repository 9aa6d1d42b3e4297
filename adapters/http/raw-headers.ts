/** Header lines as they came: name, value, name, value, … (Node's `rawHeaders`), because merged views hide repetitions. */
export type RawHeaders = readonly string[]

/** Every value of a header, in order, one for each line. `name` is lower-case. */
export function headerValues(rawHeaders: RawHeaders, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1]
    if (value !== undefined && isNamed(rawHeaders[at], name)) values.push(value)
  }
  return values
}

/** The value of a header that stands exactly once, else `undefined`. `name` is lower-case. */
export function onlyHeader(rawHeaders: RawHeaders, name: string): string | undefined {
  const values = headerValues(rawHeaders, name)
  return values.length === 1 ? values[0] : undefined
}

function isNamed(header: string | undefined, name: string): boolean {
  return header !== undefined && header.length === name.length && header.toLowerCase() === name
}
