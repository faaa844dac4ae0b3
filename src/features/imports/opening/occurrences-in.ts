/** How often a part occurs in a text. Overlapping occurrences count. */
export function occurrencesIn(text: string, part: string): number {
  let count = 0
  for (let place = text.indexOf(part); place !== -1; place = text.indexOf(part, place + 1)) count += 1
  return count
}
