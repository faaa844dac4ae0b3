const sizes = [100, 10, 1]

/**
 * Rows in groups for statements that take several at once. The groups are of few sizes, since each size is another
 * statement, which is prepared and kept.
 */
export function inBatches<Row>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = []
  let next = 0
  for (const size of sizes) {
    for (; next + size <= rows.length; next += size) batches.push(rows.slice(next, next + size))
  }
  return batches
}
