/**
 * The first views of a page that fit `chars` when serialised, at least one and at most `limit`: what is left out is on the
 * next page, where a reduction of the reply would lose it.
 */
export function fittingPage<View>(views: readonly View[], limit: number, chars: number): View[] {
  const kept: View[] = []
  let used = 0
  for (const one of views.slice(0, limit)) {
    used += JSON.stringify(one).length
    if (kept.length > 0 && used > chars) break
    kept.push(one)
  }
  return kept
}
