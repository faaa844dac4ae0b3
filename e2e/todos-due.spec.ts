import { expect, type Locator, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, resize } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  clearTasks,
  edit,
  field,
  openList,
  openTasks,
  replaceTasks,
  row,
  sortBy,
  titleField,
  titlesIn,
} from './testing/screens/todo-list.ts'

// Only the browser's clock: a due day is the same day to every server.
const friday = '2026-11-20T12:00:00.000Z'
// Changes on this day are made now: the server accepts no instant in the future, and none from before the task existed.
const farAhead = '2099-11-20T12:00:00.000Z'
test.use({ fakeClock: true, timezoneId: 'Europe/Copenhagen' })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Due date and reminder' })
const dueDate = (row: Locator) => row.getByRole('button', { name: 'Due date and reminder' })
const typed = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Type a date' })
const group = (page: Page, name: string) => page.getByRole('region', { name })

async function keptDates(page: Page) {
  const { todos } = await (await page.request.get('/api/todos')).json()
  return todos.map(({ due_day, remind_at }: Record<string, unknown>) => ({ due_day, remind_at }))
}

test('due dates that are set', async ({ page }) => {
  await page.clock.setFixedTime(farAhead)
  await openList(page, { open: ['Send invoice', 'Call Iris'] })

  await test.step('a due date and a reminder are set with the keyboard, shown in words, stored, and removed again', async () => {
    const task = row(page, 'Send invoice')
    await edit(task).press('Enter')
    await page.keyboard.type(' for October')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dueDate(row(page, 'Send invoice for October'))).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(typed(page)).toBeFocused()
    await expect(dialog(page)).toHaveAccessibleDescription('Send invoice for October')

    await page.keyboard.type('2099-11-20 9:00')
    await expect(dialog(page)).toContainText('This time has passed, so no reminder will be sent.')
    await typed(page).fill('tomorrow 9:00')
    await expect(dialog(page)).not.toContainText('This time has passed')
    await expectNoAxeViolations(page)
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    const dated = row(page, 'Send invoice for October')
    // This browser does not let pages ask for notifications, and says so once.
    const question = page.getByRole('region', { name: 'Reminders on this device' })
    await question.getByRole('button', { name: 'Close' }).click()
    await expect(dated).toContainText('Due: Tomorrow')
    await expect(dated).toContainText('Reminder: 09:00')
    await expect
      .poll(() => keptDates(page))
      .toEqual([
        { due_day: '2099-11-21', remind_at: '2099-11-21T08:00:00.000Z' },
        { due_day: null, remind_at: null },
      ])

    await page.reload()
    await expect(dated).toContainText('Due: Tomorrow')
    await edit(dated).click()
    await dueDate(dated).click()
    await expect(titleField(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await dueDate(dated).click()
    await dialog(page).getByRole('button', { name: 'No date' }).click()
    await expect(dueDate(dated)).toBeFocused()
    await expect(dated).not.toContainText('Due')
    await expect
      .poll(() => keptDates(page))
      .toEqual([
        { due_day: null, remind_at: null },
        { due_day: null, remind_at: null },
      ])
    await dueDate(dated).click()
    await typed(page).fill('2099-12-24')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(dated).not.toContainText('Due')
  })

  await test.step('a due date can be chosen with the keyboard while adding a task: typed, by name or in the calendar', async () => {
    await settled(page)
    await replaceTasks(page, {})
    const choice = page.getByRole('main').getByRole('button', { name: 'Due date', exact: true })
    const chip = page.getByRole('button', { name: 'Remove due date' })
    await expect(choice, 'nobody is asked before there is a task').toHaveCount(0)
    await field(page).fill('Send invoice')
    await expect(choice).toBeVisible()
    await field(page).press('Tab')
    await expect(choice).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(typed(page)).toBeFocused()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Escape')
    await expect(choice, 'back where it was').toBeFocused()
    await page.keyboard.press('Enter')
    await expect(typed(page)).toBeFocused()
    await page.keyboard.type('tom')
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await expect(page.getByRole('main')).toContainText('Due: Tomorrow')
    for (const width of [320, 360, 768, 1280]) {
      await resize(page, width)
      await expectNothingSticksOut(page)
    }
    await expectNoAxeViolations(page)
    await page.keyboard.press('Enter')
    await expect(row(page, 'Send invoice')).toContainText('Due: Tomorrow')
    await expect(chip, 'the next task has none').toHaveCount(0)

    await field(page).fill('Call Iris')
    await choice.click()
    await page.getByRole('button', { name: 'Thursday 26 November 2099' }).click()
    await expect(field(page)).toBeFocused()
    await choice.click()
    await expect(typed(page)).toHaveValue('Thu 26 Nov')
    await typed(page).fill('24 dec')
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(row(page, 'Call Iris')).toContainText('Due: Thu 24 Dec')

    await field(page).fill('Water the plants')
    await choice.click()
    await page.getByRole('button', { name: 'Next week' }).click()
    await chip.press('Enter')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await keptDates(page)).map(({ due_day }: { due_day: unknown }) => due_day))
      .toEqual([null, '2099-12-24', '2099-11-21'])
  })

  await test.step('overdue dates differ from titles and other dates even without their colour', async () => {
    await settled(page)
    await replaceTasks(page, { open: ['Send invoice', 'Call Iris', 'Water the plants'] })
    const { todos } = await (await page.request.get('/api/todos')).json()
    for (const [place, due_day] of ['2099-11-18', '2099-11-26'].entries()) {
      const data = { due_day, at: new Date().toISOString() }
      await call(page, 'put', `/api/todos/${todos[place].id}/edit`, data)
    }
    const lookOf = (words: string | RegExp) =>
      page.getByText(words, { exact: true }).evaluate((it) => {
        const look = getComputedStyle(it.closest('[class*=gap-1]') ?? it)
        return { weight: look.fontWeight, size: look.fontSize }
      })
    await expect(page.getByText('2 days late')).toBeVisible()
    const overdue = await lookOf('2 days late')
    expect(overdue.size).not.toBe((await lookOf('Water the plants')).size)
    expect(overdue.weight).not.toBe((await lookOf(/Nov.* 26$|26 Nov/)).weight)
  })

  await test.step('each quick choice names its day, even if two are the same', async () => {
    // A Sunday: tomorrow is the start of the next week.
    await page.clock.setFixedTime('2099-11-22T12:00:00.000Z')
    await page.reload()
    await dueDate(row(page, 'Water the plants')).click()
    for (const [label, day] of [
      ['Today', 'Sun 22 Nov'],
      ['Tomorrow', 'Mon 23 Nov'],
      ['Weekend', 'Sat 28 Nov'],
      ['Next week', 'Mon 23 Nov'],
    ]) {
      await expect(dialog(page).getByRole('button', { name: `${label} ${day}` })).toBeVisible()
    }
  })
})

test('where due dates stand', async ({ page }) => {
  await test.step('the due date button appears with the first letter, however long its picker takes to load', async () => {
    const letGo = await holdRequest(page, /\/task-parts-/)
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await field(page).press('m')
    const choice = page.getByRole('main').getByRole('button', { name: 'Due date', exact: true })
    await expect(choice).toBeVisible()
    await choice.click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    letGo()
    await page.getByRole('button', { name: 'Tomorrow' }).click()
    await expect(page.getByRole('main')).toContainText('Due: Tomorrow')
    await page.getByRole('button', { name: 'Remove due date' }).click()
    await field(page).clear()
  })

  await test.step('the first task with a due date moves nothing above or beside it, at any width', async () => {
    await settled(page)
    await replaceTasks(page, { open: ['Buy milk', 'Send invoice'] })
    const { todos } = await (await page.request.get('/api/todos')).json()
    const places = async () => [
      await field(page).boundingBox(),
      await row(page, 'Buy milk').boundingBox(),
      (await row(page, 'Send invoice').boundingBox())?.y,
    ]
    const widths = [320, 360, 768, 1280]
    const before = new Map<number, unknown>()
    for (const width of widths) {
      await resize(page, width)
      before.set(width, await places())
    }
    await call(page, 'put', `/api/todos/${todos.at(-1).id}/edit`, {
      due_day: '2099-12-24',
      at: new Date().toISOString(),
    })
    await page.reload()
    await expect(
      row(page, 'Buy milk').or(row(page, 'Send invoice')).filter({ hasText: 'Due: ' }),
    ).toHaveCount(1)
    for (const width of widths) {
      await resize(page, width)
      expect(await places(), `${width} px`).toEqual(before.get(width))
      await expectNothingSticksOut(page)
    }
  })

  await test.step('tasks can be sorted by due date, overdue ones first, at every width, in both themes, with large text', async () => {
    await settled(page)
    await clearTasks(page)
    await page.clock.setFixedTime(friday)
    const { origin } = new URL((await page.request.get('/api/health')).url())
    const remind_at = '2026-11-25T08:00:00.000Z'
    const tasks = [
      { title: 'Water the plants' },
      { title: 'Renew the passport', due_day: '2027-01-15' },
      { title: 'Book the ferry for Easter weekend', due_day: '2026-11-22', remind_at },
      { title: 'Reply to Iris', due_day: '2026-11-21' },
      { title: 'Send October invoice', due_day: '2026-11-20' },
      { title: 'Return the library books', due_day: '2026-11-19' },
      { title: 'Pay the electricity bill', due_day: '2026-11-18' },
    ]
    for (const [place, task] of tasks.entries()) {
      const data = {
        ...task,
        completed: 0,
        at: new Date(Date.parse(friday) - 60_000 * (9 - place)).toISOString(),
      }
      expect((await page.request.post('/api/todos', { data, headers: { origin } })).status()).toBe(201)
    }
    await page.reload()
    await expect(openTasks(page).getByRole('listitem')).toHaveCount(7)
    await sortBy(page, 'Due date')

    const shown = async () => {
      const names = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
      return names
    }
    await expect
      .poll(shown)
      .toEqual(['Overdue 2', 'Today 1', 'Tomorrow 1', 'This week 1', 'Later 1', 'No due date 1'])
    await expect
      .poll(() => titlesIn(group(page, 'Overdue')))
      .toEqual(['Pay the electricity bill', 'Return the library books'])
    for (const [title, words] of [
      ['Pay the electricity bill', '2 days late'],
      ['Return the library books', '1 day late'],
      ['Send October invoice', 'Today'],
      ['Reply to Iris', 'Tomorrow'],
      ['Book the ferry for Easter weekend', 'Sun 22 Nov'],
      ['Book the ferry for Easter weekend', 'Wed 25 Nov, 09:00'],
      ['Renew the passport', 'Fri 15 Jan 2027'],
    ] as const)
      await expect(row(page, title)).toContainText(words)
    await page.reload()
    await expect.poll(shown).toHaveLength(6)

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectNoAxeViolations(page)
      for (const width of [320, 360, 768, 1280]) {
        await resize(page, width)
        await expectNothingSticksOut(page)
      }
    }
    await dueDate(row(page, 'Pay the electricity bill')).click()
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    for (const width of [320, 1280]) {
      await resize(page, width)
      await expectNothingSticksOut(page)
      const { width: inner = 0 } = (await dialog(page).boundingBox()) ?? {}
      expect(await dialog(page).evaluate((box) => box.scrollWidth)).toBeLessThanOrEqual(Math.ceil(inner))
    }
    await page.keyboard.press('Escape')
    await expectNothingSticksOut(page)
  })
})
