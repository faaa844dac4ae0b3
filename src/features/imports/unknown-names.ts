/** A sentence about what a file has that Daymark has no place for; none if that is nothing. */
export function noteOfUnknown(names: readonly string[], what: 'column' | 'field' = 'column'): string[] {
  if (names.length === 0) return []
  const named = [...new Set(names)].map((name) => `“${name}”`).join(', ')
  return [`Daymark has no place for ${names.length === 1 ? `this ${what}` : `these ${what}s`}: ${named}.`]
}
