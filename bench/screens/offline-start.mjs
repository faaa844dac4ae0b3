// How long a browser that was closed takes to show the to-dos and the habits again without a connection, beside its floor in the
// same starts: the moment at which the page's own document is there, which comes from the same cache. The promise is a second.
// `node bench/screens/offline-start.mjs [rounds]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumArguments, obtainChromium } from '../../scripts/chromium.mjs'
import { median } from '../share.mjs'
import { base, untilStored, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 7)
const most = 1_000
const screens = /** @type {const} */ ([
  ['/todos', 'Buy milk'],
  ['/habits', 'Read'],
])

const executablePath = obtainChromium(console.warn)
const profile = mkdtempSync(join(tmpdir(), 'daymark-profile-'))
process.on('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))

await withBrowser(async () => {
  await fillProfile()
  say(`A cold start without a connection, the median of ${rounds}; the promise is ${most} ms.`)
  for (const [path, text] of screens) {
    const starts = []
    for (let round = 0; round < rounds; round++) starts.push(await start(path, text))
    const shown = median(starts.map((times) => times.shown))
    const floor = median(starts.map((times) => times.document))
    say(
      `${path.padEnd(8)} ${shown.toFixed(0).padStart(6)} ms   ${(shown / floor).toFixed(1)} times the document alone (${floor.toFixed(0)} ms)${shown > most ? '   MISSED' : ''}`,
    )
  }
})

function open() {
  return chromium.launchPersistentContext(profile, {
    executablePath,
    args: chromiumArguments,
    baseURL: base,
  })
}

/** Somebody was here before: the app and their data are on the device. */
async function fillProfile() {
  const context = await open()
  const page = await context.newPage()
  const response = await page.request.post('/api/auth/sign-up/email', {
    data: { name: 'Maren-Lind', email: 'maren@lindholm.example', password: 'correct horse' },
    headers: { origin: base },
  })
  if (!response.ok()) throw new Error(await response.text())
  await page.goto('/todos')
  await page.getByPlaceholder('Add a new task...').fill('Buy milk')
  await page.keyboard.press('Enter')
  await page.goto('/habits')
  await page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first().click()
  await page.keyboard.type('Read')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('Read', { exact: true }).waitFor()
  await untilStored(page)
  for (const [path, text] of screens) {
    await page.goto(path)
    await page.getByRole('main').getByText(text, { exact: true }).waitFor()
    await page.waitForFunction(() => !document.documentElement.hasAttribute('data-activity'))
  }
  await context.close()
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Promise<{ document: number, shown: number }>} in milliseconds since the start of the page
 */
async function start(path, text) {
  const context = await open()
  await context.setOffline(true)
  const page = await context.newPage()
  await page.addInitScript(noteWhenShown, text)
  await page.goto(path)
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0)
  const times = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    return {
      document: navigation instanceof PerformanceNavigationTiming ? navigation.responseEnd : Number.NaN,
      shown: performance.getEntriesByName('shown')[0]?.startTime ?? Number.NaN,
    }
  })
  await context.close()
  return times
}

/** Runs in the page: looking from outside would find it only now and then. */
function noteWhenShown(/** @type {string} */ text) {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main')?.textContent.includes(text)) return
    observer.disconnect()
    performance.mark('shown')
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
