const sizes = [100, 10, 1]

/**
 * Splits rows into batches for multi-row statements. Batches come in few sizes, since each size is a separate statement that is
 * prepared and kept. `most`: the largest size to use.
 */
export function inBatches<Row>(rows: readonly Row[], most = 100): Row[][] {
  const batches: Row[][] = []
  let next = 0
  for (const size of sizes.filter((each) => each <= most)) {
    for (; next + size <= rows.length; next += size) batches.push(rows.slice(next, next + size))
  }
  return batches
}
