import { readdirSync, readFileSync } from 'node:fs'
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

/**
 * A test that stores the app, goes offline or stops the clock gets a browser context of its own: the reset between two tests of a
 * reused one leaves stored shells behind, and runs the scripts of a clock in the order of their numbers as text.
 */
const changesItsContext = /serviceWorkers: 'allow'|setOffline\(|\.clock\.|open(Settled)?Timer\(|stopTime\(/
const specs = readdirSync('e2e')
  .filter((name) => name.endsWith('.spec.ts') && !needsWholeBrowser.test(name))
  .map((name) => ({ path: `**/${name}`, source: readFileSync(`e2e/${name}`, 'utf8') }))
const needsOwnContext = specs.filter(({ source }) => changesItsContext.test(source))

const pathOf = ({ path }: { path: string }) => path

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // One more than there are processors, for those that wait.
  workers: availableParallelism() + 1,
  forbidOnly: process.env.CI !== undefined,
  // A test that passes at the second try is a broken test, or a broken promise.
  retries: 0,
  // Far longer than anything takes: how busy a machine is must not decide a test.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    // Every test has a browser of its own, which would keep the app anew, and answer what a test holds back. Those of
    // what is kept and pushed allow them.
    serviceWorkers: 'block',
  },
  projects: [
    {
      name: 'own contexts',
      testMatch: needsOwnContext.map(pathOf),
      use: { launchOptions: shell },
    },
    {
      name: 'headless shell',
      testIgnore: [needsWholeBrowser, ...needsOwnContext.map(pathOf)],
      use: { launchOptions: shell, reuseContext: true },
    },
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
