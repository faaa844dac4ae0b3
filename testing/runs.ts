import fc from 'fast-check'
import { beforeEach, onTestFailed } from 'vitest'
import { seedOfTest } from './seed.ts'

const run = Number(process.env.DAYMARK_SEED)
const deep = process.env.DAYMARK_DEEP === '1'
let seed: number | undefined

// To import this is what gives the tests of a file the seed of the run: without it fast-check takes one from the clock.
beforeEach(({ task }) => {
  seed = seedOfTest(run, task.file.name, task.fullTestName)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
  onTestFailed(() => {
    const settings = deep ? `DAYMARK_DEEP=1 DAYMARK_SEED=${run}` : `DAYMARK_SEED=${run}`
    process.stdout.write(`To repeat '${task.fullTestName}': ${settings} npx vitest run ${task.file.name}\n`)
  })
})

/**
 * How many times a property or a schedule is tried: `quick` in `npm test`, `deep` in `npm run test:deep`, which sets
 * DAYMARK_DEEP=1. Which cases are tried follows from the run's seed (`seed.ts`).
 */
export function runs(deepRuns: number, quick: number): number {
  return deep ? deepRuns : quick
}

/** Whole numbers from 0 to below a limit, from the seed of the running test. */
export function randomBelow(from = seed): (limit: number) => number {
  if (from === undefined) throw new Error('Only a test has a seed')
  let state = from || 1
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
