import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type Cable, connect } from './testing/connection/cable.ts'
import { fetchedLater, keptByTheBrowser } from './testing/connection/on-device.ts'
import { settled, showInTheSamePage } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { test as base, newPerson } from './testing/person/person.ts'
import { daysAgo, row as habitRow } from './testing/screens/habit-list.ts'
import { addButton, field, row } from './testing/screens/todo-list.ts'

// A part of the app that can't be loaded never takes the rest of it away.

const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const names = '--host-resolver-rules=MAP daymark.lan 127.0.0.1'
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), names] })
    },
    { scope: 'worker' },
  ],
})

test.use({
  mayLog:
    /Failed to|ERR_|could not be (read|kept|fetched)|Could not read|got no answer|GET .* failed|origin was untrustworthy|Not supported for insecure origins/,
})

const at = (baseURL = '', host: string) => baseURL.replace('localhost', host)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const missing = "This page couldn't be loaded"
const partOfHabits = '**/assets/habits-*.js'

test.describe('without a service worker', () => {
  for (const [where, host] of [
    ['on this machine', 'localhost'],
    ['by a name of the home network, over plain http', 'daymark.lan'],
  ] as const)
    test(`offline, ${where}, a screen that was not fetched stands inside the frame and comes by itself`, async ({
      page,
      context,
      baseURL,
    }) => {
      await page.route(partOfHabits, (route) => route.abort())
      await openTodos(page, at(baseURL, host))
      await comesByItself(page, context, {
        goOffline: () => context.setOffline(true),
        async comeBack() {
          await page.unroute(partOfHabits)
          await context.setOffline(false)
        },
      })
    })

  test('what says that a screen is missing passes WCAG 2.2 AA, at 320 to 1280 px in both themes', async ({
    page,
    context,
    baseURL,
  }) => {
    // The browser may have it from an earlier test.
    await page.route(partOfHabits, (route) => route.abort())
    await openTodos(page, baseURL)
    await context.setOffline(true)
    await add(page, 'Water the quince tree')
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(page.getByRole('main')).toContainText('1 change waits on this device')
    await inEveryLook(page, [320, 360, 768, 1280], async (look) => {
      await look.expectNoAxeViolations()
      await expectNothingSticksOut(page)
    })
  })

  test('a screen comes when the server is back, even if the browser never noticed that it was away', async ({
    page,
    baseURL,
  }) => {
    await openTodos(page, baseURL)
    await page.route(/\/(assets|api)\//, (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(heading(page)).toHaveText(missing)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute(/\/(assets|api)\//)
    await expect(heading(page)).toHaveText('Habits')
  })

  test('a screen is tried again by a button, and by another press on its entry', async ({
    page,
    baseURL,
  }) => {
    await openTodos(page, baseURL)
    // A browser that is wrong about its connection, and so waits for what never comes.
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
    for (const [name, again] of [
      ['Habits', page.getByRole('button', { name: 'Try again' })],
      ['Analytics', page.getByRole('link', { name: 'Analytics' })],
    ] as const) {
      await page.route('**/assets/**', (route) => route.abort())
      await page.getByRole('link', { name }).click()
      await expect(heading(page)).toHaveText(missing)
      await page.unroute('**/assets/**')
      await again.click()
      await expect(heading(page)).toContainText(name)
    }
  })

  test('a part of a screen comes once there is a connection', async ({ page, context, baseURL }) => {
    await page.route('**/assets/shortcuts-dialog-*.js', (route) => route.abort())
    await openTodos(page, baseURL)
    await context.setOffline(true)
    await page.getByRole('button', { name: /account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    const alert = page.getByRole('alert').filter({ hasText: "Part of this page couldn't be loaded." })
    await expect(alert).toBeVisible()
    await expect(alert.getByRole('button'), 'a reload would take the app away').toHaveCount(0)
    await page.unroute('**/assets/shortcuts-dialog-*.js')
    await context.setOffline(false)
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(alert).toHaveCount(0)
  })

  test('over plain http, every screen opens offline soon after the first one', async ({
    page,
    context,
    baseURL,
  }) => {
    await openTodos(page, at(baseURL, 'daymark.lan'))
    const screens = [
      ['/today', 'today', /^Today|^Good/],
      ['/upcoming', 'upcoming', 'Upcoming'],
      ['/todos/completed', 'completed', 'Completed'],
      ['/focus', 'focus', 'Focus Timer'],
      ['/habits', 'habits', 'Habits'],
      ['/analytics', 'analytics-page', 'Analytics Dashboard'],
      ['/settings', 'settings-page', 'Settings'],
      ['/todos', 'frame', 'Todo List'],
    ] as const
    for (const [, part] of screens) await fetchedLater(page, `${part}-`)
    await settled(page)
    await context.setOffline(true)
    for (const [path, , title] of screens) {
      await showInTheSamePage(page, path)
      await expect(heading(page)).toHaveText(title)
    }
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(asked.filter((file) => /\/(join|sign-up|reset-password)-page-/.test(file))).toEqual([])
  })
})

const withCable = test.extend<{ cable: Cable }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  cable: async ({}, use) => {
    const cable = await connect()
    await use(cable)
    await cable.close()
  },
  proxy: ({ cable }, use) => use({ server: cable.address }),
})

withCable.describe('with a service worker', () => {
  withCable.use({ serviceWorkers: 'allow' })

  withCable(
    'offline, a screen that the browser has not stored stands inside the frame and comes by itself',
    async ({ page, context, cable, baseURL }) => {
      await openTodos(page, baseURL)
      await keptByTheBrowser(page)
      await dropFromCaches(page, '/assets/habits-')
      await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
      await comesByItself(page, context, {
        async goOffline() {
          cable.pull()
          await context.setOffline(true)
        },
        async comeBack() {
          cable.plugIn()
          await context.setOffline(false)
        },
      })
    },
  )
})

interface Connection {
  goOffline(): Promise<void>
  comeBack(): Promise<void>
}

/** From the list of tasks, opens the habits without a connection, and expects all that the person did to go on. */
async function comesByItself(page: Page, context: BrowserContext, { goOffline, comeBack }: Connection) {
  await goOffline()
  await add(page, 'Water the quince tree')
  await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''))
  await page.getByRole('link', { name: 'Habits' }).click()

  await expect(heading(page)).toHaveText(missing)
  await expect(heading(page)).toBeFocused()
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Offline. 1 change waits on this device')
  await expect(page.getByRole('main')).toContainText("It opens by itself once you're back online.")
  await expect(page.getByRole('main')).toContainText('1 change waits on this device')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).not.toHaveAttribute('aria-busy', 'true')
  await heading(page).focus()

  await comeBack()
  await expect(heading(page)).toHaveText('Habits')
  await expect(heading(page)).toBeFocused()
  const titles = async () => {
    const { todos }: { todos: { title: string }[] } = await call(page, 'GET', '/api/todos')
    return todos.map(({ title }) => title)
  }
  await expect.poll(titles).toEqual(['Water the quince tree'])
  await call(page, 'POST', '/api/habits', {
    name: 'Read',
    description: '',
    frequency: 'daily',
    start_date: daysAgo(0),
  })
  await expect(habitRow(page, 'Read'), 'what another device does arrives').toBeVisible()
  await expect(page.locator('body'), 'nothing was loaded anew').toHaveAttribute('data-not-reloaded')
  await context.setOffline(false)
}

/** Signs somebody up at this address, and opens their tasks. */
async function openTodos(page: Page, origin = '') {
  await page.goto(`${origin}/sign-in`)
  await call(page, 'POST', '/api/auth/sign-up/email', { ...newPerson() })
  await page.goto(`${origin}/todos`)
  await expect(heading(page)).toHaveText('Todo List')
  await settled(page)
}

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
  await expect(row(page, title)).toBeVisible()
  await expect(addButton(page), 'kept by the device').toBeEnabled()
}

/** As another device would: the page's own queue and store know nothing of it. */
function call(page: Page, method: string, path: string, body?: object) {
  return page.evaluate(
    async ([to, how, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(to, { method: how, ...(sent && { headers, body: JSON.stringify(sent) }) })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
    [path, method, body] as const,
  )
}

function dropFromCaches(page: Page, part: string): Promise<void> {
  return page.evaluate(async (path) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) if (request.url.includes(path)) await cache.delete(request)
    }
  }, part)
}
