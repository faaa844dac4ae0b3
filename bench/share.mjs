/** @param {number[]} numbers */
export function median(numbers) {
  return share(numbers, 0.5)
}

/**
 * What this part of them does not exceed.
 * @param {number[]} numbers
 * @param {number} part
 */
export function share(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
