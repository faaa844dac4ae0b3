import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { takeSeed } from './testing/seed.ts'

// `npm run test:deep` tries properties and schedules for as long as it takes.
const deep = process.env.DAYMARK_DEEP === '1'

const include = ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'testing/**/*.test.ts']
// To start a process for each file, and to load the program into it, takes longer than most files' tests. So files share
// processes, modules and globals, except for those that replace modules or globals: the next file would find them replaced.
const replaces = /\bvi\.(mock|doMock|resetModules|stubGlobal|stubEnv)\(|fake-indexeddb/
const root = import.meta.dirname
const alone = globSync(include, { cwd: root }).filter((file) =>
  replaces.test(readFileSync(join(root, file), 'utf8')),
)

export default defineConfig({
  test: {
    environment: 'node',
    env: { DAYMARK_SEED: takeSeed() },
    globalSetup: ['src/platform/database/testing/setup.ts'],
    setupFiles: ['testing/seed-each-test.ts'],
    // As many as there are processors, and one for those that wait for others: by itself it would leave one processor idle.
    maxWorkers: availableParallelism() + 1,
    // Far longer than anything takes: how busy a machine is must not decide a test.
    testTimeout: deep ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'together', include, exclude: alone, isolate: false } },
    ],
  },
})
