import type { Browser, BrowserContext, CDPSession, Page, ViewportSize } from '@playwright/test'

// A page that is opened anew costs a second of the processor, most of it for compiling the app once more. A page that stays in
// its process has the app compiled, so one page serves a worker's tests, each of which finds it empty.

interface Options {
  /** Everything by which two tests can't have the same context. */
  key: string
  origin: string
  viewport: ViewportSize | null | undefined
}

interface KeptPage {
  options: Options
  context: BrowserContext
  page: Page
  /** Made before the test could: closing it would undo what tests emulate. */
  devtools: CDPSession
  /** What a test changed in it for good: scripts, clocks and bindings can't be taken out again. */
  isChanged: boolean
}

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
    if (this.#kept?.options.key !== options.key) {
      await this.#kept?.context.close()
      this.#kept = await this.#open(options)
    }
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
    const kept: KeptPage = { options, context, page, devtools, isChanged: false }
    noteChanges(page, context, () => {
      kept.isChanged = true
    })
    return kept
  }
}

async function isEmptied({ context, page, devtools, options }: KeptPage): Promise<boolean> {
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
    await page.goto(new URL(restingPlace, options.origin).href)
    await page.evaluate(() => sessionStorage.clear())
    await devtools.send('Storage.clearDataForOrigin', { origin: options.origin, storageTypes: 'all' })
  } catch {
    // A page that crashed, or whose server has gone.
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

function noteChanges(page: Page, context: BrowserContext, note: () => void): void {
  const lasting = ['addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders'] as const
  noteCalls(page, lasting, note)
  noteCalls(
    context,
    [...lasting, 'newCDPSession', 'grantPermissions', 'clearPermissions', 'setGeolocation'],
    note,
  )
  noteCalls(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'], note)
  const emulateMedia = page.emulateMedia.bind(page)
  page.emulateMedia = (options = {}) => {
    if (Object.keys(options).some((name) => name !== 'colorScheme')) note()
    return emulateMedia(options)
  }
}

function noteCalls<Target extends object>(
  target: Target,
  names: readonly (keyof Target & string)[],
  note: () => void,
): void {
  for (const name of names) {
    const method = target[name]
    if (typeof method !== 'function') throw new Error(`There is no ${name} any more`)
    Object.assign(target, {
      [name](...given: unknown[]): unknown {
        note()
        return method.apply(target, given)
      },
    })
  }
}
