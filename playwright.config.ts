import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { chromiumArguments, locateChromium, locateHeadlessShell } from './scripts/chromium.mjs'

// Every worker reads this file again and inherits the environment: what is chosen once is kept there.
process.env.E2E_SHELL_PATH ??= locateHeadlessShell() ?? ''
process.env.CHROMIUM_PATH ||= locateChromium()?.path ?? ''
process.env.E2E_PORT ??= String(await freePort())

const address = `http://localhost:${process.env.E2E_PORT}`
const whole = launched(process.env.CHROMIUM_PATH)
const shell = launched(process.env.E2E_SHELL_PATH || process.env.CHROMIUM_PATH)

/** What a headless shell has not: notifications, and the browser's own search in the page. */
const needsWholeBrowser = /(focus-pushed|reminders-pushed|settings-look|todos-thousand)\.spec/

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // A browser keeps more than one processor busy: with one more worker, 21 tests took as long, and each of them half as long again.
  workers: availableParallelism(),
  forbidOnly: process.env.CI !== undefined,
  // A test that passes at the second try is a broken test, or a broken promise.
  retries: 0,
  // Far longer than anything takes: how busy a machine is must not decide a test.
  timeout: 240_000,
  expect: { timeout: 30_000, toPass: { timeout: 120_000 } },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    // Every test has a browser of its own, which would keep the app anew, and answer what a test holds back. Those of
    // what is kept and pushed allow them.
    serviceWorkers: 'block',
  },
  projects: [
    { name: 'headless shell', testIgnore: needsWholeBrowser, use: { launchOptions: shell } },
    { name: 'whole browser', testMatch: needsWholeBrowser, use: { launchOptions: whole } },
  ],
  webServer: {
    // The built app on data of its own that is gone afterwards.
    command: 'exec node scripts/serve-for-tests.mjs',
    url: `${address}/api/health`,
    env: { PORT: process.env.E2E_PORT },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
})

function launched(executablePath: string | undefined) {
  return { args: chromiumArguments, ...(executablePath ? { executablePath } : {}) }
}

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
