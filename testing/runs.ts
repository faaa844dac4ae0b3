import fc from 'fast-check'

/** Whether this is `npm run test:deep`. */
export const isDeep = process.env.DAYMARK_DEEP === '1'

/**
 * How many times a property or a schedule is tried: `quick` in `npm test`, `deep` in `npm run test:deep`, which sets
 * DAYMARK_DEEP=1. Which cases are tried follows from the run's seed (`seed.ts`).
 */
export function runs(deepRuns: number, quick: number): number {
  return isDeep ? deepRuns : quick
}

/** Whole numbers from 0 to below a limit, from the seed of the running test. */
export function randomBelow(from = fc.readConfigureGlobal().seed): (limit: number) => number {
  if (from === undefined) throw new Error('Only a test has a seed')
  let state = from || 1
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
