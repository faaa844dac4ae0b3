// npm run pictures: takes the README's pictures again, from the demo at a fixed instant, in a temporary database. Writes
// docs/pictures/*.png.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { pino } from 'pino'
import { createApp } from '../../src/app/api.ts'
import { demoPerson } from '../../src/app/demo/demo-account.ts'
import { makeDemo } from '../../src/app/demo/make-demo.ts'
import { userTables } from '../../src/app/row-kinds.ts'
import { createAuth } from '../../src/features/account/server/auth.ts'
import { openDatabase } from '../../src/platform/database/opening/open-database.ts'
import { listen } from '../../src/platform/http/request/listen.ts'
import { readWebFiles } from '../../src/platform/http/responses/static-files.ts'
import { readOrCreatePushKeys } from '../../src/platform/push/push-key-store.ts'
import { openPusher } from '../../src/platform/push/pusher.ts'
import { chromiumArguments, obtainChromium } from '../chromium.mjs'
import { buildWebWhenChanged } from '../web-build.mjs'

/** @typedef {import('@playwright/test').Page} Page */

// A Friday afternoon.
const zone = 'Europe/Copenhagen'
const now = Date.parse('2026-11-20T16:30:00+01:00')

const desktop = { viewport: { width: 1280, height: 800 } }
const tall = { viewport: { width: 1280, height: 1280 } }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/** @typedef {import('@playwright/test').BrowserContextOptions} Device */

/** @type {{ name: string, path: string, device?: Device, scheme: 'light' | 'dark', arrange?: (page: Page) => Promise<unknown> }[]} */
const pictures = [
  { name: 'todos-light', path: '/todos', scheme: 'light' },
  { name: 'todos-dark', path: '/todos', scheme: 'dark' },
  { name: 'todos-phone-light', path: '/todos', scheme: 'light', device: phone },
  { name: 'todos-phone-dark', path: '/todos', scheme: 'dark', device: phone },
  { name: 'habits-phone-light', path: '/habits', scheme: 'light', device: phone },
  { name: 'habits-phone-dark', path: '/habits', scheme: 'dark', device: phone },
  { name: 'habits-light', path: '/habits', scheme: 'light', arrange: unfoldFirstHabit },
  { name: 'focus-dark', path: '/focus', scheme: 'dark', arrange: focusForAWhile },
  { name: 'analytics-light', path: '/analytics', scheme: 'light', device: tall },
  { name: 'analytics-dark', path: '/analytics', scheme: 'dark' },
]

const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'daymark-pictures-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await buildWebWhenChanged(say)
const database = await openDatabase(`sqlite:${join(folder, 'daymark.db')}`)
await makeDemo(database, now, zone)
const log = pino({ level: 'silent' })
const settings = /** @type {const} */ ({ baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false })
const auth = createAuth(
  database,
  { secret: 'a secret of the pictures that is long enough', ...settings, userTables },
  log,
)
const pusher = openPusher(
  { contact: 'mailto:pictures@daymark.example', to: 'internet' },
  () => readOrCreatePushKeys(database),
  Date.now,
)
const web = await readWebFiles(fileURLToPath(new URL('../../dist/web', import.meta.url)))
const started = Date.now()
const clock = () => now + Date.now() - started
const listening = await listen(
  createApp({ database, auth, pusher, settings, log, clock, web }),
  '127.0.0.1',
  0,
  log,
)
const baseURL = `http://127.0.0.1:${listening.port}`
const browser = await chromium.launch({ executablePath: obtainChromium(say), args: chromiumArguments })

for (const { name, path, device = desktop, scheme, arrange } of pictures) {
  await take(name, device, scheme, path, async (page) => {
    // Even the first picture of a screen should show a device that has opened it before.
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await arrange?.(page)
  })
}

await browser.close()
await listening.close(1_000)
pusher.close()
await database.close()

/**
 * @param {string} name
 * @param {Device} device
 * @param {'light' | 'dark'} colorScheme
 * @param {string} path
 * @param {(page: Page) => Promise<unknown>} arrange
 */
async function take(name, device, colorScheme, path, arrange) {
  const context = await browser.newContext({
    ...device,
    baseURL,
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: zone,
    locale: 'en-GB',
  })
  const page = await context.newPage()
  await page.clock.install({ time: clock() })
  const { email, password } = demoPerson
  const data = { email, password }
  await page.request.post('/api/auth/sign-in/email', { data, headers: { origin: baseURL } })
  // A page with an event stream is never idle.
  await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await arrange(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const file = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url))
  await page.screenshot({ path: file, caret: 'hide' })
  say(`docs/pictures/${name}.png`)
  await context.close()
}

/** @param {Page} page */
async function unfoldFirstHabit(page) {
  await page.getByRole('main').getByRole('button', { expanded: false }).first().click()
}

/** @param {Page} page */
async function focusForAWhile(page) {
  await page.getByRole('main').getByRole('button', { name: 'Start', exact: true }).click()
  await page.clock.runFor(9 * 60_000 + 14_000)
}
