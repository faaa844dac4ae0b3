import { defineConfig } from 'vitest/config'

// `npm run test:deep` tries properties and schedules for as long as it takes.
const deep = process.env.DAYMARK_DEEP === '1'

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['src/platform/database/testing/postgres-server.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    // Long enough for a loaded two-core machine; no test waits for time to pass.
    testTimeout: deep ? 3_600_000 : 30_000,
    hookTimeout: 60_000,
  },
})
