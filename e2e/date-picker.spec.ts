import { expect, type Locator, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { changeBehindTheScreens } from './testing/screens/preferences.ts'
import { kept as keptTodo, make } from './testing/screens/task-details.ts'
import { more, openList, row, toasts } from './testing/screens/todo-list.ts'

// A Sunday, which the picture shows as well; far ahead, because the server takes no instant from before a task existed.
const sunday = '2099-11-22T12:00:00.000Z'
test.use({ fakeClock: true, timezoneId: 'Europe/Copenhagen' })

const picker = (page: Page) => page.getByRole('dialog', { name: 'Due date and reminder' })
const typed = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Type a date' })
const time = (page: Page) => page.getByRole('dialog').getByRole('spinbutton', { name: 'Time' })
const day = (page: Page, name: string) => picker(page).getByRole('button', { name, exact: true })
const chosen = (page: Page) => picker(page).locator('td[aria-selected=true]')
const dueButton = (row: Locator) => row.getByRole('button', { name: 'Due date and reminder' })
const month = (page: Page) => picker(page).getByRole('heading')

interface Dates {
  due_day?: string
  reminder?: { days_before: number; time: number }
}

/** Opens the list of a person with these tasks, on a Sunday, without motion. */
async function openWith(page: Page, tasks: Record<string, Dates>) {
  await page.clock.setFixedTime(sunday)
  await signUpBehindTheScreens(page)
  for (const [title, dates] of Object.entries(tasks)) await make(page, { title, ...dates })
  await page.goto('/todos')
  for (const title of Object.keys(tasks)) await row(page, title).waitFor()
  await settled(page)
}

async function openPicker(page: Page, title: string) {
  const task = row(page, title)
  await dueButton(task).click()
  await expect(typed(page)).toBeFocused()
  return task
}

async function kept(page: Page, title: string) {
  const todo = await keptTodo(page, title)
  return { due: todo?.due_day, reminder: todo?.remind_at }
}

test('a date is chosen, on one page', async ({ page }) => {
  await openWith(page, {
    'Choose a colour for the hall': {},
    'Paint the hall': {},
    'Call the mill': { due_day: '2099-11-26', reminder: { days_before: 0, time: 1080 } },
    'Send the letters': { due_day: '2099-11-26', reminder: { days_before: 2, time: 540 } },
    'Mend the gate': {},
    'Water the plants': {},
    'Pay the rent': { due_day: '2099-11-26', reminder: { days_before: 0, time: 1080 } },
  })

  await test.step('a due date is chosen with the keyboard alone, saved at once, and taken back', async () => {
    const task = await openPicker(page, 'Choose a colour for the hall')
    // The four choices and the month come before the days, which are one stop.
    for (const name of [
      'Today Sun 22 Nov',
      'Tomorrow Mon 23 Nov',
      'Weekend Sat 28 Nov',
      'Next week Mon 23 Nov',
    ]) {
      await page.keyboard.press('Tab')
      await expect(day(page, name)).toBeFocused()
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(day(page, 'Sunday 22 November 2099, today')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(day(page, 'Sunday 29 November 2099')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(day(page, 'Sunday 6 December 2099')).toBeFocused()
    await expect(month(page)).toHaveText('December 2099')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    await expect(day(page, 'Monday 30 November 2099')).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('PageDown')
    await expect(day(page, 'Wednesday 6 January 2100')).toBeFocused()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Tab')
    await expect(time(page)).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(day(page, 'Sunday 6 December 2099')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(picker(page)).toHaveCount(0)
    await expect(dueButton(task)).toBeFocused()
    await expect(task).toContainText('Due: Sun 6 Dec')
    await expect
      .poll(() => kept(page, 'Choose a colour for the hall'))
      .toEqual({ due: '2099-12-06', reminder: null })

    await expect(toasts(page)).toContainText('Due date changed')
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(task).not.toContainText('Due: ')
    await expect.poll(() => kept(page, 'Choose a colour for the hall')).toEqual({ due: null, reminder: null })
    await closeToasts(page)
  })

  await test.step('what is typed is shown as it is understood, and said; Enter takes it, Escape leaves everything as it was', async () => {
    const task = await openPicker(page, 'Paint the hall')
    const said = picker(page).getByRole('status')
    await page.keyboard.type('in 3 d')
    await expect(said).toHaveText('Not a date')
    await expect(typed(page)).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Enter')
    await expect(typed(page), 'nothing is chosen').toBeFocused()
    await page.keyboard.type('ays')
    await expect(said).toHaveText('Wednesday 25 November 2099')
    await expect(typed(page)).toHaveAccessibleDescription('Wed 25 Nov')
    await expect(chosen(page)).toHaveText('25')
    await typed(page).fill('3 mar 18:00')
    await expect(said).toHaveText('Wednesday 3 March 2100 18:00')
    await expect(month(page)).toHaveText('March 2100')
    await expect(time(page)).toHaveValue('18:00')
    await page.keyboard.press('Escape')
    await expect(picker(page)).toHaveCount(0)
    await expect(dueButton(task)).toBeFocused()
    await expect(task).not.toContainText('Due: ')

    await page.keyboard.press('Enter')
    await typed(page).fill('fri')
    await page.keyboard.press('Enter')
    await expect(task).toContainText('Due: Fri 27 Nov')
    await expect.poll(() => kept(page, 'Paint the hall')).toEqual({ due: '2099-11-27', reminder: null })
    await closeToasts(page)
  })

  await test.step('the due date in a row opens the picker, whose time moves along with the day and goes with it', async () => {
    const task = await openPicker(page, 'Call the mill')
    await page.keyboard.press('Escape')
    await task.getByRole('button', { name: 'Due: Thu 26 Nov' }).click()
    await expect(typed(page)).toHaveValue('Thu 26 Nov')
    await expect(chosen(page)).toHaveText('26')
    await expect(time(page)).toHaveValue('18:00')
    await picker(page).getByRole('button', { name: 'Tomorrow' }).click()
    await expect
      .poll(() => kept(page, 'Call the mill'))
      .toEqual({ due: '2099-11-23', reminder: '2099-11-23T17:00:00.000Z' })

    await dueButton(task).click()
    await time(page).fill('6.45pm')
    await time(page).press('ArrowDown')
    await expect(time(page)).toHaveValue('18:30')
    await time(page).press('Enter')
    await expect
      .poll(() => kept(page, 'Call the mill'))
      .toEqual({ due: '2099-11-23', reminder: '2099-11-23T17:30:00.000Z' })

    await dueButton(task).click()
    await picker(page).getByRole('button', { name: 'No time' }).click()
    await expect.poll(() => kept(page, 'Call the mill')).toEqual({ due: '2099-11-23', reminder: null })
    await toasts(page).getByRole('button', { name: 'Undo' }).last().click()
    await expect
      .poll(() => kept(page, 'Call the mill'))
      .toEqual({ due: '2099-11-23', reminder: '2099-11-23T17:30:00.000Z' })
    await dueButton(task).click()
    await picker(page).getByRole('button', { name: 'No date' }).click()
    await expect.poll(() => kept(page, 'Call the mill')).toEqual({ due: null, reminder: null })
    await closeToasts(page)
  })

  await test.step('a reminder before the due date moves along with it, and is changed in its own picker', async () => {
    const task = await openPicker(page, 'Send the letters')
    await expect(time(page)).toHaveCount(0)
    await typed(page).fill('28 nov')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => kept(page, 'Send the letters'))
      .toEqual({ due: '2099-11-28', reminder: '2099-11-26T08:00:00.000Z' })

    await dueButton(task).click()
    await picker(page).getByRole('button', { name: 'Reminder: Thu 26 Nov 09:00' }).click()
    const reminder = page.getByRole('dialog', { name: 'Reminder' })
    await expect(typed(page)).toBeFocused()
    await expect(typed(page)).toHaveValue('Thu 26 Nov')
    await reminder.getByRole('button', { name: 'Wednesday 25 November 2099' }).click()
    await expect(time(page), 'the time is asked for as well').toBeFocused()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => kept(page, 'Send the letters'))
      .toEqual({ due: '2099-11-28', reminder: '2099-11-25T06:00:00.000Z' })
    await closeToasts(page)
  })

  await test.step('a window too low for it scrolls it, and what is chosen stays within reach', async () => {
    await openPicker(page, 'Mend the gate')
    await page.setViewportSize({ width: 1280, height: 400 })
    await picker(page).getByRole('button', { name: 'No date' }).click()
    await expect(picker(page)).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await closeToasts(page)
  })

  for (const [weekStart, first] of [
    [1, 'Monday'],
    [7, 'Sunday'],
    [6, 'Saturday'],
  ] as const) {
    await test.step(`weeks begin on ${first} for those whose weeks do, always six of them`, async () => {
      await changeBehindTheScreens(page, { week_start: weekStart })
      await openPicker(page, 'Water the plants')
      await expect(picker(page).getByRole('columnheader').first()).toHaveAccessibleName(first)
      for (const name of ['Previous month', 'Next month', 'Next month', 'Next month']) {
        await expect(picker(page).getByRole('grid').getByRole('row')).toHaveCount(7)
        await picker(page).getByRole('button', { name }).click()
      }
      await typed(page).fill('next week')
      const days = { 1: '23', 7: '29', 6: '28' }
      await expect(chosen(page)).toHaveText(days[weekStart])
      await page.keyboard.press('Escape')
      await expect(picker(page)).toHaveCount(0)
    })
  }

  await test.step('it is legible and whole at every width, in both themes, with large text', async () => {
    await openPicker(page, 'Pay the rent')
    const fits = async () => {
      await expectNothingSticksOut(page)
      await expect
        .poll(() => picker(page).evaluate((box) => box.scrollWidth - box.clientWidth))
        .toBeLessThanOrEqual(0)
    }
    await inEveryLook(page, [320, 390, 768, 1280], async (look) => {
      await fits()
      await look.expectNoAxeViolations()
    })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    for (const width of [320, 1280]) {
      await resize(page, width)
      await fits()
      await expectNoAxeViolations(page)
    }
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('it is a sheet with targets for a finger, one press from the due date in a row', async ({ page }) => {
    await page.clock.setFixedTime(sunday)
    await openList(page, { open: ['Choose a colour for the hall'] })
    const task = row(page, 'Choose a colour for the hall')
    await more(task).tap()
    await page.getByRole('menuitem', { name: 'Due date and reminder' }).tap()
    await expect(typed(page)).toBeFocused()
    for (const target of await picker(page).getByRole('grid').getByRole('button').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    await expectNoAxeViolations(page)
    await day(page, 'Thursday 26 November 2099').tap()
    await expect(picker(page)).toHaveCount(0)
    await task.getByRole('button', { name: 'Due: Thu 26 Nov' }).tap()
    await expect(chosen(page)).toHaveText('26')
    await picker(page).getByRole('button', { name: 'Close' }).tap()
    await expect(picker(page)).toHaveCount(0)
    await expect(task).toContainText('Due: Thu 26 Nov')
  })
})
