/** @param {number[]} numbers */
export function median(numbers) {
  return share(numbers, 0.5)
}

/**
 * The value that this share of the numbers doesn't exceed.
 * @param {number[]} numbers
 * @param {number} part
 */
export function share(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
