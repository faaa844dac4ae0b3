import { expect, type Page } from '@playwright/test'
import { fetchedLater, keptByTheBrowser } from './testing/connection/on-device.ts'
import { expectNothingSticksOut, hands, holdToasts, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { details, kept, make, openDetails, property, subtasks } from './testing/screens/task-details.ts'
import { more, row, tick, toasts } from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const daily = (from: number) => ({ freq: 'day', every: 1, mode: 'due', from: dayIn(from) })
const weekly = (from: number) => ({ freq: 'week', every: 1, mode: 'due', from: dayIn(from) })

async function openWith(page: Page, ...todos: Record<string, unknown>[]) {
  await signUpBehindTheScreens(page)
  const made = []
  for (const todo of todos) made.push(await make(page, todo))
  await page.goto('/todos')
  await row(page, String(todos[0]?.title)).waitFor()
  return made
}

async function closeDetails(page: Page) {
  await details(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(details(page)).toHaveCount(0)
}

test('tasks that come back, on one page', async ({ page, context }) => {
  const reminders = { beds: { days_before: 0, time: 480 }, rent: { days_before: 2, time: 540 } }
  await openWith(
    page,
    { title: 'Water the plants', repeat: daily(0) },
    { title: 'Third dose', repeat: { ...daily(0), times: 1 } },
    { title: 'Take the bins out', repeat: weekly(0) },
    { title: 'Air the beds', repeat: weekly(0), reminder: reminders.beds },
    { title: 'Sweep the stairs', repeat: weekly(0) },
    { title: 'Clean', repeat: daily(0) },
    { title: 'Water the herbs', repeat: daily(-3) },
    { title: 'Pay the rent', due_day: dayIn(3), repeat: weekly(3), reminder: reminders.rent },
    { title: 'Water the ferns', repeat: daily(0) },
    { title: 'Water the lawn', repeat: daily(-2) },
  )

  await test.step('a task that comes back shows its next day when it is ticked, and Undo brings the same day back', async () => {
    const plants = row(page, 'Water the plants')
    await expect(plants).toContainText('Today')
    await tick(plants).click()
    await expect(plants).toContainText('Tomorrow')
    await expect(tick(plants)).not.toBeChecked()
    await expect(toasts(page)).toContainText('Task completed, next tomorrow')
    await expect.poll(async () => (await kept(page, 'Water the plants'))?.due_day).toBe(dayIn(1))
    await undo(page).click()
    await expect(plants).toContainText('Today')
    await expect.poll(async () => (await kept(page, 'Water the plants'))?.due_day).toBe(dayIn(0))
    await closeToasts(page)
  })

  await test.step('the last of a series completes the task, and unticking it opens that one again', async () => {
    const dose = row(page, 'Third dose')
    await tick(dose).click()
    await expect(tick(dose)).toBeChecked()
    await expect.poll(async () => (await kept(page, 'Third dose'))?.completed).toBe(1)
    await tick(dose).click()
    await expect(tick(dose)).not.toBeChecked()
    await expect(dose).toContainText('Today')
    await expect.poll(async () => (await kept(page, 'Third dose'))?.completed).toBe(0)
    await closeToasts(page)
  })

  await test.step('its due date moves only this one', async () => {
    await openDetails(page, 'Take the bins out')
    await property(page, 'Due').click()
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await expect(row(page, 'Take the bins out')).toContainText('Tomorrow')
    await expect.poll(async () => (await kept(page, 'Take the bins out'))?.due_day).toBe(dayIn(1))
    await tick(row(page, 'Take the bins out')).click()
    await expect.poll(async () => (await kept(page, 'Take the bins out'))?.due_day).toBe(dayIn(7))
    await closeDetails(page)
    await closeToasts(page)
  })

  await test.step('it is never without a date: one that was moved goes back, and its reminder stays', async () => {
    await openDetails(page, 'Air the beds')
    await property(page, 'Due').click()
    const picker = page.getByRole('dialog', { name: 'Due date' })
    await expect(picker.getByRole('button', { name: /^Tomorrow/ })).toBeVisible()
    await expect(picker.getByRole('button', { name: /^(No date|Back to)/ })).toHaveCount(0)
    await picker.getByRole('button', { name: /^Tomorrow/ }).click()
    await expect.poll(async () => (await kept(page, 'Air the beds'))?.due_day).toBe(dayIn(1))
    await property(page, 'Due').click()
    await picker.getByRole('button', { name: /^Back to/ }).click()
    await expect(toasts(page)).toContainText('Task moved back')
    await expect
      .poll(async () => kept(page, 'Air the beds'))
      .toMatchObject({ due_day: dayIn(0), reminder: reminders.beds })
    await closeDetails(page)
    await closeToasts(page)
  })

  await test.step('a day on which it comes back anyway is refused before anything changes, and skipping is offered', async () => {
    const bins = row(page, 'Sweep the stairs')
    const choose = async (text: string) => {
      await openDetails(page, 'Sweep the stairs')
      await property(page, 'Due').click()
      await page.getByRole('dialog', { name: 'Due date' }).getByRole('textbox').first().fill(text)
      await page.keyboard.press('Enter')
    }
    await choose('in 9 days')
    await expect(toasts(page)).toContainText(/This task comes back on \w{3} \d+ \w{3}( \d+)? anyway\./)
    await expect(toasts(page)).toHaveCount(1)
    await expect(bins).toContainText('Today')
    expect((await kept(page, 'Sweep the stairs'))?.due_day).toBe(dayIn(0))
    await toasts(page).getByRole('button', { name: 'Skip this time' }).click()
    await expect(toasts(page).filter({ hasText: 'Skipped' })).toBeVisible()
    await expect.poll(async () => (await kept(page, 'Sweep the stairs'))?.due_day).toBe(dayIn(7))
    await undo(page).click()
    await expect(bins).toContainText('Today')
    await expect.poll(async () => (await kept(page, 'Sweep the stairs'))?.due_day).toBe(dayIn(0))
    await choose('in 6 days')
    await expect.poll(async () => (await kept(page, 'Sweep the stairs'))?.due_day).toBe(dayIn(6))
    await closeDetails(page)
    await closeToasts(page)
  })

  await test.step('its subtasks are ticked for this time, and are open again the next', async () => {
    const parent = await kept(page, 'Clean')
    await make(page, { title: 'Kitchen', parent_id: parent?.id })
    await openDetails(page, 'Clean')
    await expect(subtasks(page)).toHaveCount(1)
    const kitchen = details(page).getByRole('checkbox', { name: 'Kitchen' })
    await kitchen.click()
    await expect(kitchen).toBeChecked()
    await expect.poll(async () => (await kept(page, 'Kitchen'))?.completed).toBe(1)
    await tick(row(page, 'Clean')).click()
    await expect(kitchen).not.toBeChecked()
    await undo(page).click()
    await expect(kitchen).toBeChecked()
    for (const [title, completed] of [
      ['Kitchen', 1],
      ['Clean', 0],
    ] as const) {
      await expect.poll(async () => (await kept(page, title))?.completed).toBe(completed)
    }
    await closeDetails(page)
    await closeToasts(page)
  })

  await test.step('what was missed is listed, and each can be completed or skipped, and the next one be skipped', async () => {
    await expect(row(page, 'Water the herbs')).toContainText('3 missed')
    await openDetails(page, 'Water the herbs')
    const missed = details(page).getByRole('region', { name: /^Missed/ })
    await expect(missed.getByRole('listitem')).toHaveCount(3)
    await missed.getByRole('checkbox').first().click()
    await expect(missed.getByRole('listitem')).toHaveCount(2)
    await expect(missed.getByRole('checkbox').first()).toBeFocused()
    await missed.getByRole('button', { name: /^Skip/ }).first().click()
    await expect(row(page, 'Water the herbs')).toContainText('1 missed')
    await undo(page).first().click()
    await expect(missed.getByRole('listitem')).toHaveCount(2)
    // The toast gives the focus back when it has gone.
    await closeToasts(page)
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Skip this time' }).click()
    await expect(row(page, 'Water the herbs')).toContainText('Tomorrow')
    await expect.poll(async () => (await kept(page, 'Water the herbs'))?.missed).toBe(2)
    await closeDetails(page)
    await closeToasts(page)
  })

  await test.step('its row skips a task that comes back, too, with Undo', async () => {
    await more(row(page, 'Water the ferns')).click()
    await page.getByRole('menuitem', { name: 'Skip this time' }).click()
    await expect(row(page, 'Water the ferns')).toContainText('Tomorrow')
    await expect(toasts(page)).toContainText('Skipped')
    await undo(page).click()
    await expect(row(page, 'Water the ferns')).toContainText('Today')
    await closeToasts(page)
  })

  await test.step('a reminder before a task is due comes so many days before it, every time', async () => {
    const rent = row(page, 'Pay the rent')
    await expect(rent).toContainText('Tomorrow, 09:00')
    await openDetails(page, 'Pay the rent')
    await expect(property(page, 'Reminder')).toContainText('2 days before at 09:00')
    await property(page, 'Reminder').click()
    const picker = page.getByRole('dialog', { name: 'Reminder' })
    await expect(picker).toContainText('2 days before it is due, every time.')
    await picker.getByRole('textbox', { name: 'Type a date' }).fill('in 2 days')
    await expect(picker).toContainText('1 day before it is due, every time.')
    await page.keyboard.press('Enter')
    await expect(picker.getByRole('spinbutton', { name: 'Time' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(property(page, 'Reminder')).toContainText('1 day before at 09:00')
    await undo(page).click()
    await expect(property(page, 'Reminder')).toContainText('2 days before at 09:00')
    await expect(page.getByRole('dialog'), 'only the details: Undo asks for nothing').toHaveCount(1)
    await page.keyboard.press('Escape')
    await tick(rent).click()
    await expect(toasts(page)).toContainText('Task completed, next')
    await expect
      .poll(() => kept(page, 'Pay the rent'))
      .toMatchObject({ reminder: reminders.rent, due_day: dayIn(10), remind_at: `${dayIn(8)}T09:00:00.000Z` })
    await closeToasts(page)
  })

  await test.step('two tabs show the same time, whichever of them ticks it, and Undo brings it back in both', async () => {
    const other = await context.newPage()
    await other.goto('/todos')
    const rows = [row(page, 'Water the ferns'), row(other, 'Water the ferns')]
    for (const from of [page, other]) {
      for (const each of rows) await expect(each).toContainText('Today')
      await tick(row(from, 'Water the ferns')).click()
      for (const each of rows) await expect(each).toContainText('Tomorrow')
      await expect
        .poll(async () => (await kept(page, 'Water the ferns'))?.settled)
        .toMatchObject([{ day: dayIn(0), state: 'done' }])
      await undo(from).last().click()
    }
    for (const each of rows) await expect(each).toContainText('Today')
    await expect.poll(async () => (await kept(page, 'Water the ferns'))?.due_day).toBe(dayIn(0))
    await other.close()
    await closeToasts(page)
  })

  await test.step('each time it was done is on the page of completed tasks, where one of them can be reopened', async () => {
    const made = await kept(page, 'Water the lawn')
    const { origin } = new URL(page.url())
    for (const day of [dayIn(-2), dayIn(-1)]) {
      const data = { state: 'done', done_on: day }
      await page.request.put(`/api/todos/${made?.id}/days/${day}`, { data, headers: { origin } })
    }
    await tick(row(page, 'Water the lawn')).click()
    await page.goto('/todos/completed')
    await expect(row(page, 'Water the lawn')).toHaveCount(3)
    await tick(row(page, 'Water the lawn').first()).click()
    await expect(row(page, 'Water the lawn')).toHaveCount(2)
    await expect.poll(async () => (await kept(page, 'Water the lawn'))?.due_day).toBe(dayIn(0))
    await undo(page).click()
    await expect(row(page, 'Water the lawn')).toHaveCount(3)
    await expect.poll(async () => (await kept(page, 'Water the lawn'))?.due_day).toBe(dayIn(1))
  })
})

test.describe('without a connection', () => {
  test.use({
    serviceWorkers: 'allow',
    mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
  })

  test('it is ticked without a connection, is still after a reload, and settles one occurrence', async ({
    page,
    context,
  }) => {
    const [made] = await openWith(page, { title: 'Water the plants', repeat: daily(-1) })
    const plants = row(page, 'Water the plants')
    await expect(plants).toContainText('Today')
    await fetchedLater(page, 'toaster-')
    await keptByTheBrowser(page)
    await context.setOffline(true)
    await tick(plants).click()
    await expect(plants).toContainText('Tomorrow')
    await page.reload()
    await expect(plants).toContainText('Tomorrow')
    await context.setOffline(false)
    await expect
      .poll(async () =>
        (await page.request.get(`/api/todos/${made?.id}/days?from=${dayIn(-1)}&to=${dayIn(1)}`)).json(),
      )
      .toEqual({
        days: [
          { day: dayIn(-1), state: 'open', done_on: null, moved_to: null },
          { day: dayIn(0), state: 'done', done_on: dayIn(0), moved_to: null },
          { day: dayIn(1), state: 'open', done_on: null, moved_to: null },
        ],
      })
  })
})

test.describe('when another device knows more', () => {
  test.use({ mayLog: /400/ })

  test('a refused day is taken back, and the person is told in words', async ({ page }) => {
    await withoutEvents(page)
    const [made] = await openWith(page, { title: 'Take the bins out', repeat: weekly(0) })
    const { origin } = new URL(page.url())
    // Its rule, of which this device does not hear.
    const data = { repeat: daily(0) }
    await page.request.put(`/api/todos/${made?.id}/edit`, { data, headers: { origin } })
    await openDetails(page, 'Take the bins out')
    await property(page, 'Due').click()
    await page.getByRole('dialog', { name: 'Due date' }).getByRole('textbox').first().fill('in 3 days')
    await page.keyboard.press('Enter')
    const refusal = toasts(page).filter({ hasText: 'Failed to update todo' })
    await expect(refusal).toContainText(/This task comes back on \w{3} \d+ \w{3}( \d+)? anyway\. Choose/)
    await expect(row(page, 'Take the bins out')).toContainText('Today')
  })
})

test.describe('a page left open over midnight', () => {
  test.use({
    mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
  })

  test('shows what is due then, and what was missed, without a connection', async ({ page, context }) => {
    await signUpBehindTheScreens(page)
    await make(page, { title: 'Take the bins out', repeat: weekly(-6) })
    await make(page, { title: 'Water the plants', repeat: daily(-1) })
    await page.clock.install({ time: `${dayIn(0)}T23:50:00.000Z` })
    await page.goto('/todos')
    const [bins, plants] = [row(page, 'Take the bins out'), row(page, 'Water the plants')]
    await expect(bins).toContainText('6 days late')
    await expect(plants).toContainText('1 missed')
    await page.clock.pauseAt(`${dayIn(0)}T23:51:00.000Z`)
    await context.setOffline(true)
    await page.clock.runFor(8 * 60_000)
    await expect(bins).toContainText('6 days late')
    await page.clock.runFor(2 * 60_000)
    await expect(bins).toContainText('Today')
    await expect(bins).toContainText('1 missed')
    await expect(plants).toContainText('Today')
    await expect(plants).toContainText('2 missed')
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)

    test('the offer to skip, and what was missed', async ({ page }) => {
      await openWith(
        page,
        { title: 'Take the bins out', repeat: weekly(0) },
        { title: 'Water the plants', repeat: weekly(-30) },
      )

      await test.step('the offer to skip fits and passes WCAG 2.2 AA', async () => {
        await openDetails(page, 'Take the bins out')
        const moveTooFar = async () => {
          await property(page, 'Due').click()
          await page.getByRole('dialog', { name: 'Due date' }).getByRole('textbox').first().fill('in 9 days')
          await page.keyboard.press('Enter')
          await holdToasts(page)
        }
        await moveTooFar()
        await inEveryLook(page, widths, async (look) => {
          await look.expectNoAxeViolations()
          await expectNothingSticksOut(page)
        })
        await toasts(page).getByRole('button', { name: 'Close notification' }).click()
        await expect(toasts(page)).toHaveCount(0)
        await resize(page, 320)
        const large = await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await moveTooFar()
        await expectNothingSticksOut(page)
        await expect(toasts(page).getByRole('button', { name: 'Skip this time' })).toBeInViewport({
          ratio: 1,
        })
        await large.evaluate((style) => style.parentNode?.removeChild(style))
        await closeToasts(page)
        await closeDetails(page)
      })

      await test.step('what was missed fits and passes WCAG 2.2 AA', async () => {
        await resize(page, widths[0])
        await openDetails(page, 'Water the plants')
        await inEveryLook(page, widths, async (look) => {
          await look.expectNoAxeViolations()
          await expectNothingSticksOut(page)
        })
        await resize(page, 320)
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNothingSticksOut(page)
      })
    })
  })
}
