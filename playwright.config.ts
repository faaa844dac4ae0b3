import { createServer } from 'node:net'
import { defineConfig, devices } from '@playwright/test'
import { chromiumArguments, locateChromium } from './scripts/chromium.mjs'

// Every worker reads this file again and inherits the environment: what is chosen once is kept there.
process.env.CHROMIUM_PATH ||= locateChromium()?.path ?? ''
process.env.E2E_PORT ??= String(await freePort())

const address = `http://localhost:${process.env.E2E_PORT}`
const executablePath = process.env.CHROMIUM_PATH || undefined

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  // A test that passes at the second try is a broken test, or a broken promise.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    launchOptions: { args: chromiumArguments, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  webServer: {
    // The built app on data of its own that is gone afterwards.
    command: 'exec node scripts/serve-for-tests.mjs',
    url: `${address}/api/health`,
    env: { PORT: process.env.E2E_PORT },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
