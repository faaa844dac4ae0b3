import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { rowsOnDevice } from './testing/connection/on-device.ts'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { whileAnswered } from './testing/person/passing-time.ts'
import { type Person, signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import {
  addButton,
  edit,
  field,
  keptTasks,
  openList,
  remove,
  row,
  stopTime,
  tick,
  titleField,
  toasts,
} from './testing/screens/todo-list.ts'

// What is promised about a change, in a real browser: whatever happens to the tab, the connection, the server
// or the session.

const calls = /\/api\/(todos|changes)/
/** With this the app finds out whether the server responds at all. */
const callsAndSigns = /\/api\/(todos|changes|health)/
const said = { code: 'INTERNAL', message: 'Something went wrong.' }

/** For what waits for the next try: that is up to five seconds away, which a busy machine stretches. */
const patiently = { timeout: 30_000 }

test.use({
  mayLog:
    /Failed to load resource|Failed to (add|update|delete)|Could not read|session could not be read|got no answer/,
})

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
}

/** The field clears at once, and the button is disabled until the new task is stored. */
async function keptByTheDevice(page: Page) {
  await expect(field(page)).toHaveValue('')
  await expect(addButton(page)).toBeEnabled()
}

async function signIn(page: Page, person: Person) {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Every relevant request gets this response until the returned function is called. */
async function respondWith(
  page: Page,
  response: Parameters<Parameters<Parameters<Page['route']>[1]>[0]['fulfill']>[0] | 'nothing',
) {
  await page
    .context()
    .route(callsAndSigns, (route) => (response === 'nothing' ? route.abort() : route.fulfill(response)))
  return () => page.context().unroute(callsAndSigns)
}

/** What the page would try again after a while, it does not try until the returned function is called. */
async function endNoWaits(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const own = { setTimeout: window.setTimeout.bind(window), clearTimeout: window.clearTimeout.bind(window) }
    const held = new Map<number, () => void>()
    Object.assign(window, {
      setTimeout(then: () => void, ms = 0) {
        if (ms < 200) return own.setTimeout(then, ms)
        // No browser gives out such ids.
        const id = -1 - held.size
        held.set(id, then)
        return id
      },
      clearTimeout: (id: number) => (id < 0 ? held.set(id, () => {}) : own.clearTimeout(id)),
      endHeldWaits() {
        Object.assign(window, own)
        for (const then of held.values()) then()
      },
    })
  })
  return () => page.evaluate(() => Reflect.get(window, 'endHeldWaits')())
}

const titles = async (page: Page) => (await keptTasks(page)).map(({ title }) => title)

/** Those of the kept tasks that one step is about. */
const keptOf = async (page: Page, ...about: string[]) =>
  (await keptTasks(page)).filter(({ title }) => about.includes(title))

test('a change stored on the device', async ({ page, context }) => {
  await openList(page, { open: ['Water the plants'] })
  const next = await context.newPage()

  await test.step('arrives after the next start if its tab is closed at once', async () => {
    await respondWith(page, 'nothing')
    await tick(row(page, 'Water the plants')).click()
    await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('todos.complete')
    await page.close({ runBeforeUnload: false })
    await context.unroute(callsAndSigns)
    await next.goto('/todos')
    await expect(tick(row(next, 'Water the plants'))).toBeChecked()
    await expect.poll(() => keptTasks(next), patiently).toEqual([{ title: 'Water the plants', completed: 1 }])
  })

  await test.step('arrives after the next start if its tab crashes', async () => {
    await settled(next)
    await respondWith(next, 'nothing')
    const devtools = await context.newCDPSession(next)
    const crashed = next.waitForEvent('crash')
    await add(next, 'Buy milk')
    await keptByTheDevice(next)
    void devtools.send('Page.crash').catch(() => {})
    await crashed
    await next.close()
    await context.unroute(callsAndSigns)
    const last = await context.newPage()
    await last.goto('/todos')
    await expect(row(last, 'Buy milk')).toBeVisible()
    await expect.poll(() => titles(last), patiently).toEqual(['Buy milk', 'Water the plants'])
  })
})

test('arrives after the next start if the browser is killed', async ({ baseURL }, { project }) => {
  const profile = await mkdtemp(join(tmpdir(), 'daymark-profile-'))
  const open = () => chromium.launchPersistentContext(profile, { ...project.use.launchOptions, baseURL })
  const killed = await open()
  const [page = await killed.newPage()] = killed.pages()
  const person = await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await expect(field(page)).toBeVisible()
  await respondWith(page, 'nothing')
  await add(page, 'Buy milk')
  await keptByTheDevice(page)
  await kill(killed)
  await killed.close().catch(() => {})
  const next = await open()
  const [again = await next.newPage()] = next.pages()
  // A cookie is not written at once: the browser may have forgotten who was signed in.
  await next.clearCookies()
  await again.goto('/sign-in')
  await signIn(again, person)
  await expect(row(again, 'Buy milk')).toBeVisible()
  await expect.poll(() => titles(again)).toEqual(['Buy milk'])
  await next.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})

// Each by itself: requests that hung stay in flight for as long as the page is open.
for (const hung of [4_000, 29_500]) {
  test(`a change is sent within five seconds of the server's return, after ${hung} ms in which every request hung`, async ({
    page,
  }) => {
    await withoutEvents(page)
    await page.clock.install()
    await openList(page)
    await stopTime(page)
    const api = '**/api/**'
    await page.context().route(api, () => {})
    await add(page, 'Buy milk')
    await expect(row(page, 'Buy milk')).toBeVisible()
    await page.clock.runFor(hung)
    expect(await titles(page)).toEqual([])
    await page.context().unroute(api)
    await whileAnswered(page, 250)(5_000)
    await expect.poll(() => titles(page)).toEqual(['Buy milk'])
  })
}

/** Kills the browser's first process, as a power cut would. */
async function kill(context: BrowserContext) {
  const devtools = await context.browser()?.newBrowserCDPSession()
  const running = await devtools?.send('SystemInfo.getProcessInfo')
  const first = running?.processInfo.find(({ type }) => type === 'browser')
  if (!first) throw new Error('The browser did not say which process it is')
  process.kill(first.id, 'SIGKILL')
}

test('two tabs', async ({ page, context }) => {
  await openList(page, { open: ['Water the plants'] })
  const other = await context.newPage()
  await other.goto('/todos')
  await expect(row(other, 'Water the plants')).toBeVisible()
  await settled(other)

  await test.step('that write offline lose nothing and end up the same', async () => {
    await context.setOffline(true)
    await add(page, 'From the first')
    await tick(row(other, 'Water the plants')).click()
    await add(other, 'From the second')
    await edit(row(page, 'From the first')).click()
    await titleField(page).fill('From the first, renamed')
    await titleField(page).press('Enter')
    for (const tab of [page, other]) {
      await expect(row(tab, 'From the first, renamed')).toBeVisible()
      await expect(row(tab, 'From the second')).toBeVisible()
      await expect(tick(row(tab, 'Water the plants'))).toBeChecked()
    }
    await context.setOffline(false)
    await expect
      .poll(() => keptTasks(page))
      .toEqual([
        { title: 'From the second', completed: 0 },
        { title: 'From the first, renamed', completed: 0 },
        { title: 'Water the plants', completed: 1 },
      ])
    await other.close()
    await expect(row(page, 'From the second')).toBeVisible()
  })

  const another = await context.newPage()
  await another.goto('/todos')
  await expect(field(another)).toBeVisible()
  await settled(another)

  await test.step('show each other’s changes', async () => {
    await add(page, 'Buy milk')
    await expect(row(another, 'Buy milk')).toBeVisible()
    await tick(row(another, 'Buy milk')).click()
    await expect(tick(row(page, 'Buy milk'))).toBeChecked()
    await settled(another)
    await settled(page)
  })

  await test.step('keep sending when the one that sends is closed', async () => {
    const restore = await respondWith(page, 'nothing')
    await add(another, 'Buy bread')
    await expect(row(page, 'Buy bread')).toBeVisible()
    await page.close()
    await restore()
    await another.bringToFront()
    await expect.poll(() => keptOf(another, 'Buy bread'), patiently).toHaveLength(1)
  })
})

test('a write that the server refuses', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openList(page, { open: ['Water the plants'] })

  await test.step('because of a server error can be retried', async () => {
    let faults = 1
    await page.route('**/api/todos', (route) =>
      route.request().method() === 'POST' && faults-- > 0
        ? route.fulfill({ status: 500, json: said })
        : route.fallback(),
    )
    await add(page, 'Buy milk')
    const toast = toasts(page).filter({ hasText: 'Failed to add task' })
    await expect(toast).toContainText('Something went wrong.')
    await expect(row(page, 'Buy milk')).toHaveCount(0)
    await toast.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Buy milk')).toBeVisible()
    await expect.poll(() => titles(page)).toEqual(['Buy milk', 'Water the plants'])
    await expect(toast).toHaveCount(0)
    await page.unroute('**/api/todos')
  })

  await test.step('lets its text be copied', async () => {
    await page.route('**/api/todos', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { code: 'INVALID_INPUT', message: 'The title is not valid.' } })
        : route.fallback(),
    )
    await add(page, 'A long thought that must not be lost')
    const toast = toasts(page).filter({ hasText: 'Failed to add task' })
    await toast.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'A long thought that must not be lost',
    )
    await expect(toast).toHaveCount(0)
    await page.unroute('**/api/todos')
  })

  await test.step('is rolled back with what builds on it, and its error stays until it is dismissed', async () => {
    const gone = {
      status: 404,
      json: { code: 'NOT_FOUND', message: "This doesn't exist, or it was deleted." },
    }
    await page.route('**/api/todos/**', (route) => route.fulfill(gone))
    await edit(row(page, 'Water the plants')).click()
    await titleField(page).fill('Water the garden')
    await titleField(page).press('Enter')
    const toast = toasts(page).filter({ hasText: 'You deleted it on another device' })
    await expect(toast).toContainText('Water the garden')
    await expect(row(page, 'Water the plants')).toBeVisible()
    await expect(row(page, 'Water the garden')).toHaveCount(0)
    await page.reload()
    await expect(toast).toContainText('Water the garden')
    await toast.getByRole('button', { name: 'Close notification' }).click()
    await expect(toast).toHaveCount(0)
    await page.reload()
    await expect(row(page, 'Water the plants')).toBeVisible()
    await expect(toast).toHaveCount(0)
  })
})

test('a write without a response', async ({ page, context }) => {
  const situations = [
    ['a connection that breaks', 'nothing'],
    ["a captive portal's page", { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }],
    ["a proxy's 404", { status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' }],
    ['a server that is starting', { status: 503, json: said }],
  ] as const
  await openList(page, { open: situations.map(([situation]) => `Water the plants: ${situation}`) })

  await test.step('is sent at once when the connection is back', async () => {
    const goOn = await endNoWaits(page)
    const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await context.setOffline(true)
    await add(page, 'Buy milk')
    await tried
    await context.setOffline(false)
    await expect.poll(() => keptOf(page, 'Buy milk')).toHaveLength(1)
    await goOn()
    await settled(page)
  })

  for (const [situation, response] of situations)
    await test.step(`waits and is sent later: ${situation}`, async () => {
      const [watered, bought] = [`Water the plants: ${situation}`, `Buy milk: ${situation}`]
      const restore = await respondWith(page, response)
      const tried = page.waitForRequest((request) => request.method() === 'PUT')
      await tick(row(page, watered)).click()
      await add(page, bought)
      await tried
      await expect(tick(row(page, watered))).toBeChecked()
      await expect(row(page, bought)).toBeVisible()
      await expect(toasts(page)).toHaveCount(0)
      await restore()
      await expect
        .poll(() => keptOf(page, watered, bought), patiently)
        .toEqual([
          { title: bought, completed: 0 },
          { title: watered, completed: 1 },
        ])
      await expect(tick(row(page, watered))).toBeChecked()
      await settled(page)
    })
})

test('reading the list again', async ({ page }) => {
  const others = Array.from({ length: 20 }, (_, index) => `Task ${index}`)
  await openList(page, { open: ['Water the plants', ...others] })

  await test.step('happens once after a burst of changes', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (calls.test(request.url())) asked.push(request.method())
    })
    const goOn = await holdRequest(page, calls)
    await page.evaluate(() => {
      for (const box of document.querySelectorAll<HTMLInputElement>(
        'main li input[type=checkbox][aria-label^=Task]',
      ))
        box.click()
    })
    await expect(page.getByRole('main').getByRole('checkbox', { checked: true })).toHaveCount(20)
    goOn()
    await expect
      .poll(async () => (await keptTasks(page)).filter(({ completed }) => completed).length)
      .toBe(20)
    await expect.poll(() => asked.at(-1)).toBe('GET')
    await settled(page)
    expect(asked.filter((method) => method === 'GET')).toHaveLength(1)
    expect(asked.length, 'most of them go together').toBeLessThan(15)
    await page.unroute(calls)
  })

  await test.step('never hides a change, not even behind a response from before it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let early = true
    await page.route(readsOf('todos'), async (route) => {
      if (!early) return route.fallback()
      early = false
      const response = await route.fetch()
      await held
      await route.fulfill({ response: response }).catch(() => {})
    })
    await page.reload()
    const box = tick(row(page, 'Water the plants'))
    await box.click()
    await expect
      .poll(() => keptOf(page, 'Water the plants'))
      .toEqual([{ title: 'Water the plants', completed: 1 }])
    await page.evaluate(() => {
      const flips: boolean[] = []
      Object.assign(window, { flips })
      const look = () => {
        const box = document.querySelector<HTMLInputElement>('main li input[aria-label="Water the plants"]')
        if (box && box.checked !== flips.at(-1)) flips.push(box.checked)
        requestAnimationFrame(look)
      }
      look()
    })
    release()
    await settled(page)
    expect(await page.evaluate(() => Reflect.get(window, 'flips'))).toEqual([true])
  })

  await test.step('shows the last known list at once if the server does not respond at the start', async () => {
    await expect(row(page, 'Water the plants')).toBeVisible()
    await respondWith(page, 'nothing')
    await page.reload()
    await expect(row(page, 'Water the plants')).toBeVisible()
  })
})

test('whose change it is', async ({ page, context }) => {
  const person = await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await expect(field(page)).toBeVisible()
  await settled(page)

  await test.step('a waiting change is kept while signed out, and sent when the same person is back', async () => {
    const restore = await respondWith(page, 'nothing')
    await add(page, 'Buy milk')
    await expect(row(page, 'Buy milk')).toBeVisible()
    await context.clearCookies()
    await restore()
    await expect(page).toHaveURL(/\/sign-in$/)
    await signIn(page, person)
    await expect(row(page, 'Buy milk')).toBeVisible()
    await expect.poll(() => titles(page), patiently).toEqual(['Buy milk'])
    await settled(page)
  })

  await test.step('a waiting change is never sent as someone else', async () => {
    const restore = await respondWith(page, 'nothing')
    await add(page, 'Of the first')
    await expect(row(page, 'Of the first')).toBeVisible()
    // Another account signs in, as if in another tab.
    await signUpBehindTheScreens(page)
    await restore()
    await expect(row(page, 'Of the first')).toHaveCount(0)
    await add(page, 'Of the second')
    await expect.poll(() => titles(page)).toEqual(['Of the second'])
    await context.clearCookies()
    await page.reload()
    await signIn(page, person)
    await expect(row(page, 'Of the first')).toBeVisible()
    await expect.poll(() => titles(page)).toEqual(['Of the first', 'Buy milk'])
    await expect(row(page, 'Of the second')).toHaveCount(0)
  })
})

test('signing out', async ({ page, context }) => {
  async function signOut() {
    await page.getByRole('button', { name: /account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const person = await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await expect(field(page)).toBeVisible()
  await settled(page)

  await test.step('sends waiting changes first, and leaves nothing on the device', async () => {
    const restore = await respondWith(page, 'nothing')
    await add(page, 'Buy milk')
    await expect(row(page, 'Buy milk')).toBeVisible()
    expect(JSON.stringify(await rowsOnDevice(page))).toContain('Buy milk')
    await restore()
    await signOut()
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await rowsOnDevice(page)).toEqual([])
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
    await signIn(page, person)
    await expect(row(page, 'Buy milk')).toBeVisible()
    await settled(page)
  })

  await test.step('asks if it cannot send them, and staying loses nothing', async () => {
    const restore = await respondWith(page, 'nothing')
    await add(page, 'Water the plants')
    await expect(row(page, 'Water the plants')).toBeVisible()
    await signOut()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('1 change')
    await question.getByRole('button', { name: 'Stay signed in' }).click()
    await restore()
    await expect.poll(() => titles(page), patiently).toEqual(['Water the plants', 'Buy milk'])
    await settled(page)
  })

  await test.step('anyway loses only what waits, and other tabs show nothing of the account any more', async () => {
    const other = await context.newPage()
    await other.goto('/todos')
    await expect(row(other, 'Water the plants')).toBeVisible()
    await respondWith(page, 'nothing')
    await remove(row(page, 'Water the plants')).click()
    await signOut()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out anyway' }).click()
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL(/\/sign-in$/)
      await expect(tab.getByText('Water the plants')).toHaveCount(0)
    }
    expect(await rowsOnDevice(page)).toEqual([])
  })
})

test.describe('a browser without storage', () => {
  test.use({ mayLog: /gives no storage/ })

  test('works from memory and says so', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { value: undefined })
    })
    await openList(page)
    await expect(toasts(page)).toContainText('Changes are kept only while this tab is open')
    await add(page, 'Buy milk')
    await expect.poll(() => titles(page)).toEqual(['Buy milk'])
    await tick(row(page, 'Buy milk')).click()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Buy milk', completed: 1 }])
  })
})

test.describe('a browser without locks, as over plain http', () => {
  test('still lets only one tab send at a time', async ({ page, context }) => {
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'locks', { value: undefined })
    })
    await openList(page)
    const other = await context.newPage()
    await other.goto('/todos')
    await expect(field(other)).toBeVisible()
    const sent: string[] = []
    context.on('request', (request) => {
      if (calls.test(request.url()) && request.method() === 'POST') sent.push(request.postDataJSON().title)
    })
    await add(page, 'First')
    await add(other, 'Second')
    // Whoever continues in this tab has seen what the other one did.
    await expect(row(page, 'Second')).toBeVisible()
    await add(page, 'Third')
    await expect.poll(async () => (await titles(page)).toSorted()).toEqual(['First', 'Second', 'Third'])
    await expect(row(other, 'Third')).toBeVisible()
    expect(sent).toEqual(['First', 'Second', 'Third'])
  })
})

test('a frozen tab does not hold up the one in view', async ({ page, context }) => {
  await openList(page)
  const other = await context.newPage()
  await other.addInitScript(() => {
    // The test decides when the minute is over that it allows the other tab.
    const wait = window.setTimeout.bind(window)
    const overdue: (() => void)[] = []
    Object.assign(window, {
      setTimeout: (then: () => void, ms?: number) =>
        ms !== undefined && ms > 30_000 ? overdue.push(then) : wait(then, ms),
      endLongWaits() {
        for (const then of overdue.splice(0)) then()
      },
    })
  })
  await other.goto('/todos')
  await expect(field(other)).toBeVisible()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Debugger.enable')
  const stands = new Promise((resolve) => devtools.once('Debugger.paused', resolve))
  // Not in the middle of a transaction, which would block the database: browsers do not freeze a tab there.
  await settled(other)
  await settled(page)
  const released = page.evaluate('debugger')
  await stands
  await add(other, 'Buy milk')
  await expect(row(other, 'Buy milk')).toBeVisible()
  await other.waitForTimeout(1_000)
  expect(await titles(other), 'the tab that stands still has the turn').toEqual([])
  await expect
    .poll(async () => {
      await other.evaluate(() => Reflect.get(window, 'endLongWaits')())
      return titles(other)
    })
    .toEqual(['Buy milk'])
  await devtools.send('Debugger.disable')
  await released
  await add(page, 'Water the plants')
  await expect.poll(() => titles(other)).toEqual(['Water the plants', 'Buy milk'])
})
