import { expect, type Page } from '@playwright/test'
import { allSaved, settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, holdToasts, inEveryLook } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { test } from './testing/person/person.ts'
import { button, countdown, sessions } from './testing/screens/focus-timer.ts'
import {
  daysAgo,
  row as habitRow,
  keepHabits,
  openHabits,
  saidDays,
  tick as tickHabit,
} from './testing/screens/habit-list.ts'
import {
  beginEdit,
  deleteTask,
  keptTasks,
  openList,
  row,
  tick,
  titleField,
  toasts,
} from './testing/screens/todo-list.ts'

// The clock of a device is set while the page is open; and what is told to somebody whose change came too late.

const hour = 3_600_000

// It is about noon here, whenever the tests run: a clock that is set by an hour or two shows the same day, and what is ticked then
// is the same box. Over midnight another day is shown, and a press means that one.
const hoursAhead = 12 - new Date().getUTCHours()
test.use({ timezoneId: `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}` })

/** From now on `setClock` sets the wall clock of the page, and of those that it opens. Its steady clock goes on. */
async function withSettableClock(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Right = Date
    const ahead = () => Number(sessionStorage.getItem('clock set by') ?? 0)
    globalThis.Date = class extends Right {
      constructor(...parts: []) {
        if (parts.length === 0) super(Right.now() + ahead())
        else super(...parts)
      }
      static override now() {
        return Right.now() + ahead()
      }
    } as DateConstructor
  })
}

async function setClock(page: Page, ahead: number): Promise<void> {
  await page.evaluate((ahead) => sessionStorage.setItem('clock set by', String(ahead)), ahead)
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await beginEdit(row(page, from))
  await titleField(page).fill(to)
  await titleField(page).press('Enter')
}

const titles = async (page: Page) => (await keptTasks(page)).map(({ title }) => title)
const idOf = async (page: Page, title: string) => {
  const { todos } = await (await page.request.get('/api/todos')).json()
  return todos.find((todo: { title: string }) => todo.title === title).id
}

for (const [how, by] of [
  ['an hour back', -hour],
  ['20 seconds back', -20_000],
  ['an hour forward', hour],
  ['a day forward, and then two days back', 24 * hour],
] as const)
  test(`with a clock that is set ${how} while the page is open, everything done next counts`, async ({
    page,
  }) => {
    await withSettableClock(page)
    await openList(page, { open: ['Water the plants', 'Pay the rent', 'Call Ada'] })
    await keepHabits(page, [{ name: 'Read', start: daysAgo(2) }])
    await rename(page, 'Water the plants', 'Water the ferns')
    await tick(row(page, 'Pay the rent')).click()
    await expect.poll(() => keptTasks(page)).toContainEqual({ title: 'Pay the rent', completed: 1 })
    await allSaved(page)
    await setClock(page, by)
    await rename(page, 'Water the ferns', 'Water the garden')
    await tick(row(page, 'Pay the rent')).click()
    await deleteTask(row(page, 'Call Ada'))
    const isSetTwice = by === 24 * hour
    if (isSetTwice) {
      await allSaved(page)
      await setClock(page, -by)
      await rename(page, 'Water the garden', 'Water the lawn')
    }
    const watered = isSetTwice ? 'Water the lawn' : 'Water the garden'
    await expect
      .poll(async () => (await keptTasks(page)).toSorted((a, b) => (a.title < b.title ? -1 : 1)))
      .toEqual([
        { title: 'Pay the rent', completed: 0 },
        { title: watered, completed: 0 },
      ])
    await page.getByRole('link', { name: 'Habits' }).click()
    const read = tickHabit(habitRow(page, 'Read'))
    await read.click()
    await expect(read).toBeChecked()
    await allSaved(page)
    await setClock(page, (isSetTwice ? -by : by) - hour)
    await read.click()
    await allSaved(page)
    await page.reload()
    await expect(read).not.toBeChecked()
    expect(await saidDays(page, 'Read')).toEqual([])
  })

test('with a clock that is set back over midnight, no tick moves or is lost, and a press changes the day that is shown', async ({
  page,
}) => {
  await withSettableClock(page)
  await openHabits(page, [{ name: 'Read', start: daysAgo(2) }])
  const read = tickHabit(habitRow(page, 'Read'))
  await read.click()
  await allSaved(page)
  await setClock(page, -24 * hour)
  // Whoever has set the clock comes back to the page.
  await page.evaluate(() => globalThis.dispatchEvent(new Event('focus')))
  await expect(read).not.toBeChecked()
  await read.click()
  await expect(read).toBeChecked()
  await allSaved(page)
  expect(await saidDays(page, 'Read')).toEqual([daysAgo(1), daysAgo(0)])
  await read.click()
  await allSaved(page)
  expect(await saidDays(page, 'Read')).toEqual([daysAgo(0)])
  await page.reload()
  await expect(read).not.toBeChecked()
  await setClock(page, 0)
  await page.reload()
  await expect(read).toBeChecked()
})

test('the focus timer goes on with what is left when the clock is set, and a session has the seconds that it ran', async ({
  page,
}) => {
  await withSettableClock(page)
  await openList(page)
  await page.getByRole('link', { name: /^Focus Timer/ }).click()
  await button(page, 'Start').click()
  await expect(countdown(page)).toHaveText(/24:5\d/)
  for (const by of [hour, -hour, 24 * hour, 0]) {
    await setClock(page, by)
    // Long enough for the countdown to go on by what the clock shows.
    await page.waitForTimeout(1_200)
    await expect(countdown(page)).toHaveText(/24:[1-5]\d/)
  }
  await button(page, 'Save session').click()
  await expect(sessions(page)).toHaveText([/M\d s$/])
})

test.describe('a change that comes too late', () => {
  test.use({
    // Any other zone than that of a new account is sent to the server, and read again just when the connection goes.
    timezoneId: 'UTC',
    mayLog: /Failed to load resource|a later change stands|NOT_FOUND|could not be read|got no answer/,
  })

  test('is told with its text, and can be done all the same', async ({ page, context }) => {
    await openList(page, { open: ['Water the plants', 'Call Ada', 'Pay the rent'] })
    const [water, ada] = [await idOf(page, 'Water the plants'), await idOf(page, 'Call Ada')]
    await settled(page)
    await context.setOffline(true)
    await rename(page, 'Water the plants', 'Water the ferns')
    await rename(page, 'Call Ada', 'Call Ada and Bob')
    // Another device, a moment later.
    await page.waitForTimeout(50)
    await call(page, 'put', `/api/todos/${water}/edit`, { title: 'Water the lawn' })
    const { origin } = new URL((await page.request.get('/api/health')).url())
    await page.request.delete(`/api/todos/${ada}`, { headers: { origin } })
    await context.setOffline(false)

    const changed = toasts(page).filter({ hasText: 'You changed it later on another device' })
    const deleted = toasts(page).filter({ hasText: 'You deleted it on another device' })

    await test.step('says which thing, what happened to it and where, in every look', async () => {
      await expect(changed).toContainText('“Water the ferns”: Failed to update todo.')
      await expect(deleted).toContainText('“Call Ada and Bob”: Failed to update todo.')
      await holdToasts(page)
      await inEveryLook(page, [360, 768, 1280], async (look) => {
        await expectNothingSticksOut(page)
        await look.expectNoAxeViolations()
      })
      await page.emulateMedia({ colorScheme: null })
      await page.setViewportSize({ width: 360, height: 800 })
    })

    await test.step('how many changes wait stays in sight beside what was not accepted', async () => {
      await context.setOffline(true)
      await tick(row(page, 'Pay the rent')).click()
      const banner = page.getByRole('banner')
      await expect(banner.getByText('1', { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(banner.getByRole('button', { name: /not accepted/ })).toBeInViewport({ ratio: 1 })
      await expectNothingSticksOut(page)
      await context.setOffline(false)
      await page.setViewportSize({ width: 1280, height: 800 })
    })

    await test.step('Do it anyway makes the change as of now', async () => {
      await changed.getByRole('button', { name: 'Do it anyway' }).click()
      await expect.poll(() => titles(page)).toContain('Water the ferns')
      await expect(row(page, 'Water the ferns')).toBeVisible()
      await expect(changed).toHaveCount(0)
    })

    await test.step('Bring back brings the task back with what was typed', async () => {
      await deleted.getByRole('button', { name: 'Bring back' }).click()
      await expect.poll(() => titles(page)).toContain('Call Ada and Bob')
      await expect(row(page, 'Call Ada and Bob')).toBeVisible()
      await expect(deleted).toHaveCount(0)
    })
  })
})
