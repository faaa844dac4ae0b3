import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { takeSeed } from './testing/seed.ts'

// `npm run test:deep` tries properties and schedules for as long as it takes.
const deep = process.env.DAYMARK_DEEP === '1'

export default defineConfig({
  test: {
    environment: 'node',
    env: { DAYMARK_SEED: takeSeed() },
    globalSetup: ['src/platform/database/testing/setup.ts'],
    // As many as there are processors, and one for those that wait for others: by itself it would leave one processor idle.
    maxWorkers: availableParallelism() + 1,
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    // Long enough for a loaded two-core machine, and for the few tests that wait until a patience of ours ends.
    testTimeout: deep ? 3_600_000 : 30_000,
    hookTimeout: 60_000,
    // A second, as it is by itself, is not enough for what other processes do while all processors are busy.
    expect: { poll: { timeout: 10_000 } },
  },
})
