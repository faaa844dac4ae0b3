import type { Browser, BrowserContext, CDPSession, Disposable, Page, ViewportSize } from '@playwright/test'

// A page that is opened anew costs a second of the processor, most of it for compiling the app once more. A page that stays in
// its process has the app compiled, so one page serves a worker's tests, each of which finds it empty.

interface Options {
  /** Everything by which two tests can't have the same context. */
  key: string
  /** The page's clock is one that its tests set. Such a clock can be set right again, but not taken out. */
  fakeClock: boolean
  origin: string
  viewport: ViewportSize | null | undefined
}

interface KeptPage {
  options: Options
  context: BrowserContext
  page: Page
  /** Made before the test could: closing it would undo what tests emulate. */
  devtools: CDPSession
  /** The scripts and bindings that a test put in. */
  added: Promise<Disposable>[]
  /** How often its clock was set: each document that is opened repeats all of it. */
  clockCalls: number
  /** A test changed in it what can't be taken back. */
  isChanged: boolean
}

/** Some thirty tests: far from where repeating them is felt. */
const mostClockCalls = 400

/** A document of our origin that runs nothing: to leave for `about:blank` would end the process. */
const restingPlace = '/favicon.svg'

export class KeptPages {
  readonly #browser: Browser
  #kept: KeptPage | undefined

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** `options`: those of the running test, with which `browser.newContext` makes a context by itself. */
  async take(options: Options): Promise<Page> {
    const { key, fakeClock } = options
    const kept = this.#kept
    if (kept?.options.key === key && kept.options.fakeClock === fakeClock) return kept.page
    await kept?.context.close()
    this.#kept = await this.#open(options)
    return this.#kept.page
  }

  /** Leaves nothing of the test behind: other pages and browsers, what was stored, what was held back or made up. */
  async reset(): Promise<void> {
    const kept = this.#kept
    for (const context of this.#browser.contexts()) if (context !== kept?.context) await context.close()
    if (!kept) return
    if (!kept.isChanged && !kept.page.isClosed() && (await isEmptied(kept))) return
    this.#kept = undefined
    await kept.context.close()
  }

  async #open(options: Options): Promise<KeptPage> {
    const context = await this.#browser.newContext()
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    const kept: KeptPage = { options, context, page, devtools, added: [], clockCalls: 0, isChanged: false }
    noteChanges(kept)
    // Before its first test, and so the same for all: with a clock of its own, a page also has no list of what it fetched.
    if (options.fakeClock) await context.clock.install()
    return kept
  }
}

async function isEmptied(kept: KeptPage): Promise<boolean> {
  const { context, page, devtools, options } = kept
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of pageEvents) page.removeAllListeners(event)
  for (const event of contextEvents) context.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  await page.emulateMedia({ colorScheme: 'light' })
  if (options.viewport) await page.setViewportSize(options.viewport)
  try {
    for (const script of kept.added.splice(0)) await (await script).dispose()
    await page.goto(new URL(restingPlace, options.origin).href)
    await page.evaluate(() => sessionStorage.clear())
    await devtools.send('Storage.clearDataForOrigin', { origin: options.origin, storageTypes: 'all' })
    if (kept.clockCalls > 0) {
      await context.clock.setSystemTime(Date.now())
      await context.clock.resume()
    }
  } catch {
    // A page that crashed, whose server has gone, or whose test put in what the page did not take.
    return false
  }
  return true
}

// Not all: Playwright's own wait for the end of a context by one.
const pageEvents = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]
const contextEvents = ['console', 'page', 'request', 'requestfailed', 'requestfinished', 'response']

type Lasting = (typeof lastingCalls)[number]
const lastingCalls = [
  'setExtraHTTPHeaders',
  'newCDPSession',
  'grantPermissions',
  'clearPermissions',
  'setGeolocation',
] as const
const clockCalls = [
  'install',
  'pauseAt',
  'resume',
  'fastForward',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const

function noteChanges(kept: KeptPage): void {
  const { page, context, options } = kept
  const change = () => {
    kept.isChanged = true
  }
  const add = (script: Promise<Disposable>) => {
    // A refusal is told to the test, and found again when the page is emptied.
    script.catch(() => {})
    kept.added.push(script)
  }
  const scripts = ['addInitScript', 'exposeFunction', 'exposeBinding'] as const
  noteCalls(page, scripts, add)
  noteCalls(context, scripts, add)
  noteCalls(page, ['setExtraHTTPHeaders'], change)
  noteCalls<unknown, Lasting>(context, lastingCalls, change)
  noteCalls(context.clock, clockCalls, () => {
    kept.clockCalls++
    if (!options.fakeClock || kept.clockCalls > mostClockCalls) kept.isChanged = true
  })
  const emulateMedia = page.emulateMedia.bind(page)
  page.emulateMedia = (media = {}) => {
    if (Object.keys(media).some((name) => name !== 'colorScheme')) kept.isChanged = true
    return emulateMedia(media)
  }
}

/** Calls `note` with what each of these methods returns. */
function noteCalls<Result, Name extends string>(
  target: Record<Name, (...given: never[]) => Result>,
  names: readonly Name[],
  note: (result: Result) => void,
): void {
  for (const name of names) {
    const method: (...given: never[]) => Result = target[name].bind(target)
    Object.assign(target, {
      [name](...given: never[]): Result {
        const result = method(...given)
        note(result)
        return result
      },
    })
  }
}
