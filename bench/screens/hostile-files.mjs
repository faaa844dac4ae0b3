// What files that nobody should import cost in Chromium: the time from choosing one to the sentence that refuses it, the longest
// time that the page answered nothing meanwhile, and the most memory that its process (page and worker) took for it. At full speed,
// and at a quarter of it. The promise
// is a sentence within 2 s. `node bench/screens/hostile-files.mjs [rounds]`
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { note, print } from '../web/measurements.mjs'
import { newContext, signUp, withBrowser } from '../web/slow-browser.mjs'
import { pageProcesses, slowDown } from '../web/slowed-pages.mjs'

const rounds = Number(process.argv[2] ?? 3)
const promise = 2_000

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await withBrowser(async (browser) => {
  const signedUp = await signUp(browser, 'maren')
  const { cookies } = await signedUp.storageState()
  await signedUp.close()
  const files = [...hostileFiles()]
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, path } of files) {
      for (const slow of [false, true]) await measure(browser, cookies, { name, path, slow })
    }
  }
})
print('hostile-files', rounds)

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {import('../web/slow-browser.mjs').Cookies} cookies
 * @param {{ name: string, path: string, slow: boolean }} file
 */
async function measure(browser, cookies, { name, path, slow }) {
  const context = await newContext(browser, cookies)
  const page = await context.newPage()
  await page.goto('/settings')
  const input = page.getByRole('region', { name: 'Your data' }).locator('input[type=file]')
  await input.waitFor({ state: 'attached' })
  await page.evaluate(watch)
  const pages = await pageProcesses(browser)
  const before = memoryOf(pages)
  const measuring = new AbortController()
  const [, most] = await Promise.all([
    (async () => {
      await input.setInputFiles(path)
      await page.waitForFunction(() => /** @type {any} */ (window).refused.at > 0, undefined, {
        timeout: 60_000,
      })
      measuring.abort()
    })(),
    mostMemory(pages, measuring.signal),
    slow ? slowDown(pages, measuring.signal) : undefined,
  ])
  /** @type {{ at: number, gap: number }} */
  const { at, gap } = await page.evaluate('refused')
  const speed = slow ? 'quarter' : 'full'
  note(`${name}, ${speed}: sentence`, 'ms', promise, at)
  note(`${name}, ${speed}: no answer`, 'ms', undefined, gap)
  if (!slow) note(`${name}: memory`, 'MB', undefined, (most - before) / 1_000_000)
  await context.close()
}

/** Runs in the page: when the sentence is there after a file was chosen, and the longest time without a turn for anything else. */
function watch() {
  const refused = { at: 0, gap: 0 }
  Object.assign(window, { refused })
  let [chosen, last] = [0, 0]
  addEventListener(
    'change',
    () => {
      chosen = performance.now()
      last = chosen
      setInterval(() => {
        const now = performance.now()
        if (refused.at === 0) refused.gap = Math.max(refused.gap, now - last)
        last = now
      }, 10)
    },
    { capture: true, once: true },
  )
  new MutationObserver(() => {
    const isRefused = [...document.querySelectorAll('h2')].some(({ textContent }) =>
      textContent?.startsWith("This file can't be imported"),
    )
    if (isRefused && refused.at === 0) refused.at = performance.now() - chosen
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Bytes that they occupy now. */
function memoryOf(/** @type {readonly number[]} */ processes) {
  return processes.reduce((sum, id) => {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)
}

async function mostMemory(/** @type {readonly number[]} */ processes, /** @type {AbortSignal} */ signal) {
  let most = 0
  while (!signal.aborted) {
    most = Math.max(most, memoryOf(processes))
    await pause(10)
  }
  return most
}

function* hostileFiles() {
  const write = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) => {
    const path = join(folder, name.replaceAll(/\W+/g, '-'))
    writeFileSync(path, content)
    return { name, path }
  }
  const zeros = zipSync({ 'Home.csv': new Uint8Array(1_000_000_000 / 8) }, { level: 9 })
  yield write('zip bomb', withSize(zeros.slice(), 1_000_000_000))
  yield write('zip bomb that lies', withSize(zeros.slice(), 90_000_000))
  const large = write('1 GB', '')
  // It takes no room on the disk.
  truncateSync(large.path, 1_000_000_000)
  yield large
  const header = 'TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n'
  const row = 'task,Water the plants,4,1,,,,en,UTC\n'
  yield write('a million rows', header + row.repeat(1_000_000))
  yield write('700,000 rows', header + row.repeat(700_000))
  const task = '{"id":"1","title":"Water the plants"},'
  yield write(
    'a million tasks in one line',
    `{"kind":"tasks#taskLists","items":[${task.repeat(1_000_000)}{}]}`,
  )
  yield write('JSON cut short', `{"kind":"tasks#taskLists","items":[${task.repeat(500_000)}`)
  const packed = zipSync({ 'Home.csv': strToU8(header + row.repeat(100_000)) })
  yield write('zip cut short', packed.subarray(0, packed.length - 100))
  const latin = Buffer.from(`${header}${row.repeat(700_000)}task,M\u00fcll`, 'latin1')
  yield write('wrong encoding at the end', latin)
  const lists = Array.from({ length: 10_000 }, (_, nth) => ({
    kind: 'tasks#tasks',
    id: `${nth}`,
    title: `List ${nth}`,
    items: [],
  }))
  yield write('10,000 lists', JSON.stringify({ kind: 'tasks#taskLists', items: lists }))
  const projects = lists.map(({ title }) => [`${title}.csv`, strToU8(header)])
  yield write('10,000 lists in a zip', zipSync(Object.fromEntries(projects)))
}

/** Claims another size of the file that a zip contains. */
function withSize(/** @type {Uint8Array} */ zip, /** @type {number} */ size) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let place = zip.length - 4; place >= 0; place -= 1) {
    if (view.getUint32(place, true) !== 0x02014b50) continue
    view.setUint32(place + 24, size, true)
    return zip
  }
  throw new Error('the zip has no directory')
}
