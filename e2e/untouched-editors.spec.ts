import { expect, type Page } from '@playwright/test'
import * as habits from './habit-list.ts'
import { test } from './person.ts'
import { countSent, fullName, openSettings, toast, userOf } from './settings.ts'
import {
  confirm,
  edit,
  field,
  keptTasks,
  openList,
  row,
  sortBy,
  tick,
  titleField,
  watchChanges,
} from './todo-list.ts'
import { listening, otherDevice } from './two-devices.ts'

// Two devices of one person: an editor is open on one of them while the other changes the same thing.

test.use({ timezoneId: 'UTC' })

const dates = (page: Page) => page.getByRole('dialog', { name: 'Due date and reminder' })
const openDates = (page: Page, title: string) =>
  row(page, title).getByRole('button', { name: 'Due date and reminder' })
const due = (page: Page) => dates(page).getByRole('textbox', { name: 'Type a date' })
const time = (page: Page) => dates(page).getByRole('spinbutton', { name: 'Time' })

/** Opens the title of a task on one of two devices, and renames that task on the other. */
async function openAndRenameElsewhere(page: Page): Promise<Page> {
  await listening(page, () => openList(page, { open: ['Water the plants', 'Pay the rent'] }))
  const other = await otherDevice(page, '/todos')
  await edit(row(page, 'Water the plants')).click()
  await expect(titleField(page)).toHaveValue('Water the plants')
  await rename(other, 'Water the plants', 'Water the ferns')
  return other
}

async function rename(page: Page, title: string, to: string) {
  await edit(row(page, title)).click()
  await titleField(page).fill(to)
  await titleField(page).press('Enter')
  await expect(row(page, to)).toBeVisible()
}

test.describe('an untouched title shows a rename made elsewhere, and sends nothing', () => {
  for (const [how, leave] of [
    ['Enter', (page) => titleField(page).press('Enter')],
    ['Escape', (page) => titleField(page).press('Escape')],
    ['the confirm button', (page) => confirm(row(page, 'Water the ferns')).click()],
    ['a click elsewhere', (page) => field(page).click()],
    ['the next button, by keyboard', (page) => titleField(page).press('Tab')],
    [
      'its dates, opened from the row',
      async (page) => {
        await openDates(page, 'Water the ferns').click()
        await expect(dates(page)).toHaveAccessibleDescription('Water the ferns')
        await page.keyboard.press('Escape')
      },
    ],
  ] satisfies [string, (page: Page) => Promise<unknown>][]) {
    test(`left by ${how}`, async ({ page }) => {
      const other = await openAndRenameElsewhere(page)
      await expect(titleField(page)).toHaveValue('Water the ferns')
      const sent = watchChanges(page)
      await leave(page)
      await expect(titleField(page)).toHaveCount(0)
      // Changes are sent in order: whatever leaving the field sent would come first.
      await tick(row(page, 'Pay the rent')).click()
      await expect.poll(() => sent).toHaveLength(1)
      expect(sent).toMatchObject([{ path: '/api/todos/{id}', body: { completed: 1 } }])
      await expect(row(page, 'Water the ferns')).toBeVisible()
      await expect(row(other, 'Water the ferns')).toBeVisible()
      expect((await keptTasks(page)).map(({ title }) => title)).toContain('Water the ferns')
      await other.context().close()
    })
  }
})

test('a title being typed keeps what was typed, and saves that', async ({ page }) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const other = await otherDevice(page, '/todos')
  await edit(row(page, 'Water the plants')).click()
  await page.keyboard.type(' today')
  await rename(other, 'Water the plants', 'Water the ferns')
  // The checkbox is labelled with the current title.
  await expect(page.getByRole('checkbox', { name: 'Water the ferns' })).toBeVisible()
  await expect(titleField(page)).toHaveValue('Water the plants today')
  await titleField(page).press('Enter')
  for (const device of [page, other]) await expect(row(device, 'Water the plants today')).toBeVisible()
  await other.context().close()
})

test.describe('a title being typed, in a list by due date, stays in place and keeps the focus', () => {
  const tomorrow = (page: Page) => page.getByRole('region', { name: /^Tomorrow/ }).getByRole('listitem')

  async function openByDueDay(page: Page): Promise<Page> {
    await listening(page, () => openList(page, { open: ['Water the plants', 'Pay the rent'] }))
    const other = await otherDevice(page, '/todos')
    await chooseDue(other, 'Pay the rent', 'Tomorrow')
    await sortBy(page, 'Due date')
    await expect(tomorrow(page).and(row(page, 'Pay the rent'))).toBeVisible()
    await edit(row(page, 'Water the plants')).click()
    await page.keyboard.type(' today')
    return other
  }

  async function chooseDue(page: Page, title: string, day: 'Tomorrow' | 'No date') {
    await openDates(page, title).click()
    await dates(page).getByRole('button', { name: day }).click()
  }

  test('while its due date changes elsewhere', async ({ page }) => {
    const other = await openByDueDay(page)
    await chooseDue(other, 'Water the plants', 'Tomorrow')
    await expect(row(page, 'Water the plants')).toContainText('Due: Tomorrow')
    await expect(titleField(page)).toHaveValue('Water the plants today')
    await expect(titleField(page)).toBeFocused()
    await titleField(page).press('Enter')
    await expect(tomorrow(page).and(row(page, 'Water the plants today'))).toBeVisible()
    await expect(row(other, 'Water the plants today')).toBeVisible()
    await other.context().close()
  })

  test('while the last due date is removed elsewhere', async ({ page }) => {
    const other = await openByDueDay(page)
    await chooseDue(other, 'Pay the rent', 'No date')
    await expect(row(page, 'Pay the rent')).not.toContainText('Due: ')
    await expect(titleField(page)).toHaveValue('Water the plants today')
    await expect(titleField(page)).toBeFocused()
    await titleField(page).press('Enter')
    await expect(page.getByRole('list', { name: 'Open tasks' })).toContainText('Water the plants today')
    await expect(row(other, 'Water the plants today')).toBeVisible()
    await other.context().close()
  })
})

test("of a task's dates, an untouched one shows what was chosen elsewhere and is not sent", async ({
  page,
}) => {
  await listening(page, () => openList(page, { open: ['Water the plants'] }))
  const other = await otherDevice(page, '/todos')
  await openDates(page, 'Water the plants').click()
  await expect(due(page)).toHaveValue('')
  await time(page).fill('9')

  await openDates(other, 'Water the plants').click()
  await due(other).fill('2099-12-24')
  await due(other).press('Enter')
  await expect(due(page)).toHaveValue('Thu 24 Dec 2099')
  await expect(time(page)).toHaveValue('9')

  const sent = watchChanges(page)
  await time(page).press('Enter')
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent[0]?.body).toEqual({ reminder: { days_before: 0, time: 540 }, at: expect.any(String) })
  await expect
    .poll(async () => (await (await page.request.get('/api/todos')).json()).todos)
    .toMatchObject([{ due_day: '2099-12-24', remind_at: '2099-12-24T09:00:00.000Z' }])
  await other.context().close()
})

test.describe("in 'Edit Habit'", () => {
  const dialog = habits.dialog
  const title = (page: Page) => dialog(page).getByLabel('Habit Title')
  const description = (page: Page) => dialog(page).getByLabel('Description')
  const frequency = (page: Page) => dialog(page).getByLabel('Frequency')
  const reminded = (page: Page) => dialog(page).getByRole('checkbox', { name: /^Remind me/ })
  const time = (page: Page) => dialog(page).getByLabel('Time', { exact: true })
  const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save Changes' })

  async function openDialog(page: Page, habit: string) {
    await habits.name(habits.row(page, habit)).click()
    await habits.edit(habits.row(page, habit)).click()
    await expect(title(page)).toHaveValue(habit)
  }

  test('untouched fields show what was changed elsewhere, and a description is saved alone', async ({
    page,
  }) => {
    await listening(page, () => habits.openHabits(page, [{ name: 'Read', description: 'Before bed' }]))
    const other = await otherDevice(page, '/habits')
    await openDialog(page, 'Read')
    await description(page).fill('On the train')
    await openDialog(other, 'Read')
    await title(other).fill('Read 20 pages')
    await frequency(other).selectOption('weekly')
    await reminded(other).check()
    await time(other).fill('07:30')
    await save(other).click()

    await expect(title(page)).toHaveValue('Read 20 pages')
    await expect(frequency(page)).toHaveValue('weekly')
    await expect(reminded(page)).toBeChecked()
    await expect(time(page)).toHaveValue('07:30')
    await expect(description(page)).toHaveValue('On the train')

    const sent = habits.watchChanges(page)
    await save(page).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({ description: 'On the train', at: expect.any(String) })
    await expect
      .poll(() => habits.saidHabits(page))
      .toMatchObject([
        {
          name: 'Read 20 pages',
          description: 'On the train',
          frequency: 'weekly',
          reminder: { time: 450 },
        },
      ])
    await other.context().close()
  })

  test('a typed name is kept, whatever it was changed to elsewhere', async ({ page }) => {
    await listening(page, () => habits.openHabits(page, [{ name: 'Read' }]))
    const other = await otherDevice(page, '/habits')
    await openDialog(page, 'Read')
    await title(page).fill('Read at night')
    await openDialog(other, 'Read')
    await title(other).fill('Read 20 pages')
    await description(other).fill('Before bed')
    await save(other).click()
    await expect(description(page)).toHaveValue('Before bed')
    await expect(title(page)).toHaveValue('Read at night')
    await save(page).click()
    for (const device of [page, other]) await expect(habits.row(device, 'Read at night')).toBeVisible()
    await other.context().close()
  })
})

test('an untouched name in the profile follows the one saved elsewhere, and is not sent', async ({
  page,
}) => {
  await listening(page, () => openSettings(page))
  const sent = countSent(page, 'update-user')
  const other = await otherDevice(page, '/settings')
  const save = (device: Page) => device.getByRole('button', { name: 'Save Changes' })
  await fullName(other).fill('Ada-Lind')
  await save(other).click()
  await expect(fullName(page)).toHaveValue('Ada-Lind')
  await save(page).click()
  await expect(toast(page, 'No changes to save')).toBeVisible()
  expect(sent()).toBe(0)

  await fullName(page).fill('Grace-Lind')
  await fullName(other).fill('Maren-Lind')
  await save(other).click()
  await expect(page.getByRole('button', { name: /^M.*account menu$/ })).toBeVisible()
  await expect(fullName(page)).toHaveValue('Grace-Lind')
  await save(page).click()
  await expect.poll(async () => (await userOf(page))?.name).toBe('Grace-Lind')
  await expect(fullName(other)).toHaveValue('Grace-Lind')
  await other.context().close()
})
