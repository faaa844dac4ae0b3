import { expect, type Page } from '@playwright/test'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { changeBehindTheScreens } from './testing/screens/preferences.ts'
import { details, kept, make, openDetails, property } from './testing/screens/task-details.ts'
import { more, row, toasts } from './testing/screens/todo-list.ts'

// A Sunday, which the picture shows as well; far ahead, because the server takes no instant from before a task existed.
const sunday = '2099-11-22T12:00:00.000Z'
test.use({ fakeClock: true, timezoneId: 'Europe/Copenhagen' })

const picker = (page: Page) => page.getByRole('dialog', { name: 'Repeat', exact: true })
const every = (page: Page) => picker(page).getByRole('textbox', { name: 'Every' })
const radio = (page: Page, name: string) => picker(page).getByRole('radio', { name, exact: true })
const weekday = (page: Page, name: string) => picker(page).getByRole('checkbox', { name })
const nextFive = (page: Page) => picker(page).getByRole('listitem')
const sentence = (page: Page) => picker(page).getByRole('status')
const save = (page: Page) => picker(page).getByRole('button', { name: 'Save' })

async function openWith(page: Page, todo: Record<string, unknown> = {}) {
  await page.clock.setFixedTime(sunday)
  await signUpBehindTheScreens(page)
  // In this order, a row has a menu beside its buttons.
  await changeBehindTheScreens(page, { todos_sort: 'manual' })
  await make(page, { title: 'Water the plants', ...todo })
  await page.goto('/todos')
  await row(page, 'Water the plants').waitFor()
}

async function openPicker(page: Page, todo?: Record<string, unknown>) {
  await openWith(page, todo)
  await choose(page)
}

async function choose(page: Page) {
  await more(row(page, 'Water the plants')).click()
  await page.getByRole('menuitem', { name: 'Repeat…' }).click()
  await expect(picker(page)).toBeVisible()
}

test('a repeat is chosen with the keyboard alone, said in words in the row, and taken back', async ({
  page,
}) => {
  await openWith(page, { due_day: '2099-11-24' })
  await more(row(page, 'Water the plants')).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Move to top' })).toBeFocused()
  await page.keyboard.press('r')
  await expect(page.getByRole('menuitem', { name: 'Repeat…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(every(page)).toBeFocused()
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await expect(radio(page, 'weeks')).toBeFocused()
  // From Monday on; the due day is a Tuesday.
  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
    await page.keyboard.press('Tab')
    await expect(weekday(page, name)).toBeFocused()
  }
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(radio(page, 'from the due date')).toBeFocused()
  await expect(radio(page, 'from the due date')).toHaveAccessibleDescription(
    'Done late, the days stay Tuesday and Friday',
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowLeft')
  await expect(radio(page, 'After')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(picker(page).getByRole('textbox', { name: 'How many times' })).toHaveValue('10')
  await expect(nextFive(page)).toHaveText(['24 NovTue', '27 NovFri', '8 DecTue', '11 DecFri', '22 DecTue'])
  await expect(sentence(page)).toHaveText('Every 2 weeks on Tue and Fri, 10 times, the last on 22 Jan.')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(more(row(page, 'Water the plants'))).toBeFocused()
  await expect(row(page, 'Water the plants')).toContainText('Every 2 weeks on Tue, Fri')
  await expect
    .poll(async () => (await kept(page, 'Water the plants'))?.repeat)
    .toEqual({
      freq: 'week',
      every: 2,
      weekdays: [2, 5],
      week_start: 1,
      mode: 'due',
      times: 10,
      from: '2099-11-24',
    })
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Water the plants')).not.toContainText('Every')
  await expect(row(page, 'Water the plants')).toContainText('Tue 24 Nov')
  await expect.poll(async () => (await kept(page, 'Water the plants'))?.repeat).toBeNull()
})

test('a task without a due date is due on the first day of its rule, and keeps that day when the rule goes', async ({
  page,
}) => {
  await openPicker(page)
  await expect(weekday(page, 'Sunday')).toBeChecked()
  await weekday(page, 'Sunday').uncheck()
  await weekday(page, 'Wednesday').check()
  await save(page).click()
  await expect(row(page, 'Water the plants')).toContainText('Wed 25 Nov')
  await expect.poll(async () => (await kept(page, 'Water the plants'))?.due_day).toBe('2099-11-25')
  await openDetails(page, 'Water the plants')
  await expect(property(page, 'Repeat')).toHaveText('Repeat: Every week on Wed')
  await property(page, 'Repeat').click()
  await picker(page).getByRole('button', { name: 'Does not repeat' }).click()
  await expect(property(page, 'Repeat')).toBeFocused()
  await expect(property(page, 'Repeat')).toHaveText('Repeat: Does not repeat')
  await expect(property(page, 'Due date')).toHaveText('Due date: Wed 25 Nov')
  await expect
    .poll(async () => kept(page, 'Water the plants'))
    .toMatchObject({ repeat: null, due_day: '2099-11-25' })
})

test('a month offers the days that the due date is, and counting from the day it was done needs none', async ({
  page,
}) => {
  await openPicker(page, { due_day: '2099-12-31' })
  await radio(page, 'month').check()
  await expect(radio(page, 'the 31st, or the last day of a shorter month')).toBeChecked()
  await expect(nextFive(page)).toHaveText(['31 DecThu', '31 JanSun', '28 FebSun', '31 MarWed', '30 AprFri'])
  await radio(page, 'the last Thursday').check()
  // The pointer is still over it, and does not make it look as if it were not chosen.
  await expect(radio(page, 'the last Thursday')).toHaveCSS('box-shadow', /6px inset/)
  await expect(sentence(page)).toHaveText('Every month on the last Thu, from the due date.')
  await radio(page, 'from the day I did it').check()
  await expect(radio(page, 'the last Thursday')).toHaveCount(0)
  await every(page).fill('3')
  await radio(page, 'days').check()
  await expect(sentence(page)).toHaveText('3 days after it is done, first on 31 Dec.')
  await save(page).click()
  await expect(row(page, 'Water the plants')).toContainText('3 days after it is done')
  await expect
    .poll(async () => (await kept(page, 'Water the plants'))?.repeat)
    .toEqual({ freq: 'day', every: 3, mode: 'done', from: '2099-12-31' })
})

test('days that the picker does not offer stay, and a new end leaves the beginning', async ({ page }) => {
  const repeat = { freq: 'month', every: 1, days: [1, 15], mode: 'due', from: '2099-10-01' }
  await openWith(page, { repeat })
  await expect(row(page, 'Water the plants')).toContainText('3 missed')
  await choose(page)
  await expect(radio(page, 'the 1st and the 15th')).toBeChecked()
  await radio(page, 'On a day').check()
  await picker(page)
    .getByRole('button', { name: /^Last day:/ })
    .click()
  const days = page.getByRole('dialog', { name: 'Last day' })
  await days.getByRole('textbox', { name: 'Type a date' }).fill('24 dec')
  await page.keyboard.press('Enter')
  await expect(days).toHaveCount(0)
  await expect(picker(page).getByRole('button', { name: /^Last day:/ })).toBeFocused()
  await expect(sentence(page)).toHaveText('Every month on the 1st and the 15th, until 24 Dec.')
  await save(page).click()
  await expect
    .poll(async () => (await kept(page, 'Water the plants'))?.repeat)
    .toEqual({ ...repeat, until: '2099-12-24' })
  await expect(row(page, 'Water the plants')).toContainText('3 missed')
})

test('what gives no rule is said beside its field, which gets the focus; Escape changes nothing', async ({
  page,
}) => {
  await openPicker(page)
  await every(page).fill('0')
  await expect(every(page)).toHaveAccessibleDescription('Type a number from 1 to 999.')
  await save(page).click()
  await expect(every(page)).toBeFocused()
  await every(page).fill('1')
  await weekday(page, 'Sunday').uncheck()
  await expect(picker(page)).toContainText('Choose at least one day.')
  await save(page).click()
  await expect(weekday(page, 'Monday')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(picker(page)).toHaveCount(0)
  expect((await kept(page, 'Water the plants'))?.repeat).toBeNull()
})

test('it is legible and whole at every width, in both themes, with large text', async ({ page }) => {
  await openPicker(page, { due_day: '2099-12-31' })
  const fits = async () => {
    await expectNothingSticksOut(page)
    await expect
      .poll(() => picker(page).evaluate((box) => box.scrollWidth - box.clientWidth))
      .toBeLessThanOrEqual(0)
  }
  const states = ['week', 'month'] as const
  for (const unit of states) {
    await radio(page, unit).check()
    if (unit === 'week') await radio(page, 'After').check()
    else await radio(page, 'On a day').check()
    await inEveryLook(page, [320, 390, 768, 1280], async (look) => {
      await fits()
      await look.expectNoAxeViolations()
    })
  }
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  for (const unit of states) {
    await radio(page, unit).check()
    for (const width of [320, 1280]) {
      await resize(page, width)
      await fits()
      await expectNoAxeViolations(page)
    }
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('it is a sheet with targets for a finger, which the keyboard does not hide at once', async ({
    page,
  }) => {
    await openWith(page, { due_day: '2099-11-24' })
    await openDetails(page, 'Water the plants')
    await property(page, 'Repeat').tap()
    await expect(picker(page)).toBeFocused()
    for (const target of await picker(page).locator('label, button, input[type=text]').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      // The word of a field is as high as its line.
      if ((await target.textContent()) === 'Every') continue
      expect(Math.min(width, height + 8), String(await target.textContent())).toBeGreaterThanOrEqual(44)
    }
    await expectNoAxeViolations(page)
    await radio(page, 'day').check()
    await save(page).tap()
    await expect(picker(page)).toHaveCount(0)
    await expect(details(page)).toBeVisible()
    await expect(property(page, 'Repeat')).toHaveText('Repeat: Every day')
    await property(page, 'Repeat').tap()
    await picker(page).getByRole('button', { name: 'Close' }).tap()
    await expect(picker(page)).toHaveCount(0)
  })
})
