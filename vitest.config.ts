import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    // Long enough for a loaded two-core machine; no test waits for time to pass.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
