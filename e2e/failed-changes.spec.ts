import { expect, type Page, type Route } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { keepHabits } from './testing/screens/habit-list.ts'
import { field, keptTasks, openList, row, tick, toasts } from './testing/screens/todo-list.ts'

// What a person reads if something between the browser and the server responds in its place, or if the server refuses one of
// many changes.

test.use({
  mayLog:
    /Failed to load resource|Failed to (add|update)|Could not read|could not be read|got no answer|failed/,
})

const banner = (page: Page) => page.getByRole('banner')
const said = (page: Page) => banner(page).locator('.sr-only', { hasNotText: 'Daymark' })
const notSaved = (page: Page) => banner(page).getByRole('button', { name: /not accepted/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Changes not saved' })
const refusedBetween = 'The server, or something in front of it, refuses this change.'
const titles = async (page: Page) => (await keptTasks(page)).map(({ title }) => title).toSorted()

async function add(page: Page, ...added: string[]) {
  for (const title of added) {
    await field(page).fill(title)
    await field(page).press('Enter')
  }
}

/** A firewall that blocks requests with this text. */
async function dislike(page: Page, text: string) {
  await page.route('**/api/**', (route) =>
    route.request().postData()?.includes(text)
      ? route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Request blocked</h1>' })
      : route.fallback(),
  )
}

/** Gives up the change that was refused, if that was not done with its toast. */
async function discard(page: Page) {
  await closeToasts(page)
  await expect(async () => {
    if ((await notSaved(page).count()) > 0) {
      await notSaved(page).click({ timeout: 1_000 })
      await dialog(page).getByRole('button', { name: 'Discard' }).click({ timeout: 1_000 })
    }
    expect(await notSaved(page).count()).toBe(0)
  }).toPass()
  await expect(dialog(page)).toHaveCount(0)
  await settled(page)
}

test('a firewall that blocks one text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openList(page, { open: ['Water the plants'] })
  await keepHabits(page, [{ name: 'Read' }])

  await test.step('blocks only that change: it is shown with what was typed, and everything else is saved', async () => {
    await dislike(page, 'drop table')
    await add(page, 'Read about drop table', 'Buy milk')
    await tick(row(page, 'Water the plants')).click()
    const toast = toasts(page).filter({ hasText: 'Failed to add task' })
    await expect(toast).toContainText(`“Read about drop table”: ${refusedBetween}`)
    await expect(notSaved(page)).toHaveText(/^1 change was not accepted/)
    await expect(said(page)).toHaveCount(0)
    await expect
      .poll(() => keptTasks(page))
      .toEqual([
        { title: 'Buy milk', completed: 0 },
        { title: 'Water the plants', completed: 1 },
      ])
    await page.unroute('**/api/**')
    await discard(page)
  })

  await test.step('is found among many waiting changes, and all others are saved', async () => {
    await context.setOffline(true)
    const many = Array.from({ length: 12 }, (_, index) => `Task ${index + 1}`)
    await add(page, ...many.slice(0, 6), 'Read about drop table', ...many.slice(6))
    await expect(said(page)).toHaveText('Offline. 13 changes wait on this device')
    await dislike(page, 'drop table')
    await context.setOffline(false)
    await expect(notSaved(page)).toHaveText(/^1 change was not accepted/)
    await expect.poll(() => titles(page)).toEqual([...many, 'Buy milk', 'Water the plants'].toSorted())
    await page.unroute('**/api/**')
    await discard(page)
  })

  await test.step('everything typed about a habit is kept, including its description', async () => {
    await page.getByRole('link', { name: 'Habits' }).click()
    await dislike(page, 'drop table')
    await page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Habit Title').fill('Learn SQL')
    await form.getByLabel('Description').fill('From select to drop table')
    await form.getByRole('button', { name: 'Add Habit' }).click()
    await notSaved(page).click()
    await expect(dialog(page)).toContainText('Learn SQL')
    await expect(dialog(page)).toContainText('From select to drop table')
    await dialog(page).getByRole('button', { name: 'Discard' }).click()
    await expect(notSaved(page)).toHaveCount(0)
    await page.unroute('**/api/**')
    await discard(page)
    await page.getByRole('link', { name: 'Todos' }).click()
    await expect(field(page)).toBeVisible()
  })

  await test.step('the blocked text opens with one press, to be copied, retried or discarded, even after a reload', async () => {
    await dislike(page, 'drop table')
    await add(page, 'Read about drop table')
    await expect(notSaved(page)).toBeVisible()
    await page.reload()
    await notSaved(page).click()
    await expect(dialog(page)).toContainText('Failed to add task')
    await expect(dialog(page)).toContainText('Read about drop table')
    await expect(dialog(page)).toContainText(refusedBetween)
    await dialog(page).getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Read about drop table')
    await page.unroute('**/api/**')
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => titles(page)).toContain('Read about drop table')
    await expect(notSaved(page)).toHaveCount(0)
    await expect(said(page)).toHaveText('All changes saved')
  })
})

test('if something else responds in place of the server', async ({ page }) => {
  const situations: [string, (route: Route) => Promise<void>][] = [
    [
      "a captive portal's page",
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }),
    ],
    [
      "a captive portal's redirect",
      (route) => route.fulfill({ status: 302, headers: { location: '/portal' }, body: '' }),
    ],
    [
      'a proxy whose server is down',
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    ],
  ]
  const saved: string[] = []
  await openList(page)

  for (const [situation, respond] of situations)
    await test.step(`everything waits, nothing is reported as lost, and the bar says that the server does not respond: ${situation}`, async () => {
      await page.route('**/api/**', respond)
      const [milk, bread] = [`Buy milk: ${situation}`, `Buy bread: ${situation}`]
      await add(page, milk, bread)
      await expect(said(page)).toHaveText('The server does not answer. 2 changes wait')
      await expect(row(page, milk)).toBeVisible()
      await expect(toasts(page)).toHaveCount(0)
      await page.unroute('**/api/**')
      await expect(said(page)).toHaveText('All changes saved')
      saved.push(milk, bread)
      expect(await titles(page)).toEqual(saved.toSorted())
      await expect(toasts(page)).toHaveCount(0)
      await settled(page)
    })
})

test('our own error is shown at once, and fails nothing else', async ({ page }) => {
  await openList(page)
  await page.route('**/api/todos', (route) =>
    route.request().postData()?.includes('Buy milk')
      ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
      : route.fallback(),
  )
  await add(page, 'Buy milk')
  await expect(toasts(page)).toContainText('“Buy milk”: Something went wrong.')
  await expect(notSaved(page)).toHaveText(/^1 change was not accepted/)
  await add(page, 'Buy bread')
  await expect.poll(() => titles(page)).toEqual(['Buy bread'])
  await toasts(page).getByRole('button', { name: 'Try again' }).click()
  await expect(toasts(page).filter({ hasText: 'Something went wrong.' })).toHaveCount(1)
})

test('two hundred waiting changes are sent together', async ({ page, context }) => {
  const open = Array.from({ length: 200 }, (_, index) => `Task ${index + 1}`)
  await openList(page, { open })
  await expect(row(page, 'Task 1')).toBeVisible()
  await fetchedLater(page, 'several-tasks')
  await context.setOffline(true)
  await tick(row(page, 'Task 1')).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Space')
  await expect(said(page)).toHaveText('Offline. 200 changes wait on this device')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await context.setOffline(false)
  await expect(said(page)).toHaveText('All changes saved')
  expect((await keptTasks(page)).filter(({ completed }) => completed)).toHaveLength(200)
  expect(sent.filter((call) => call !== 'POST /api/changes').length, 'requests of one change').toBeLessThan(
    10,
  )
  expect(sent.length, 'requests').toBeLessThan(20)
})

test('the messages in the bar never overflow and pass WCAG 2.2 AA, at 320 to 1280 px in both themes', async ({
  page,
  context,
}) => {
  await openList(page)
  await dislike(page, 'drop table')
  await add(page, 'Read about drop table')
  await expect(notSaved(page)).toBeVisible()
  await fetchedLater(page, 'failed-changes-')
  await context.setOffline(true)
  await add(page, 'Buy milk')
  await expect(said(page)).toHaveText('Offline. 1 change waits on this device')
  const widths = [320, 360, 768, 1280]
  await inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
    await expectNothingSticksOut(page)
    await expect(notSaved(page)).toBeInViewport({ ratio: 1 })
    await expectNoAxeViolations()
  })
  await notSaved(page).click()
  await expect(dialog(page)).toBeVisible()
  await inEveryLook(page, [320, 1280], async ({ expectNoAxeViolations }) => {
    await expectNothingSticksOut(page)
    await expectNoAxeViolations()
  })
})
