import fc from 'fast-check'
import { beforeEach, onTestFailed } from 'vitest'
import { isDeep } from './runs.ts'
import { seedOfTest } from './seed.ts'

// Gives each test the seed of the run: without it fast-check takes one from the clock. vitest.config.ts names this file
// in setupFiles, which run once a file, also where files share their modules.

const run = Number(process.env.DAYMARK_SEED)

beforeEach(({ task }) => {
  const seed = seedOfTest(run, task.file.name, task.fullTestName)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
  onTestFailed(() => {
    const settings = isDeep ? `DAYMARK_DEEP=1 DAYMARK_SEED=${run}` : `DAYMARK_SEED=${run}`
    process.stdout.write(`To repeat '${task.fullTestName}': ${settings} npx vitest run ${task.file.name}\n`)
  })
})
