import { expect, type Page } from '@playwright/test'
import { test } from './testing/person/person.ts'
import { listening, otherDevice } from './testing/person/two-devices.ts'
import * as habits from './testing/screens/habit-list.ts'
import { countSent, devices, fullName, toast, userMenu, userOf } from './testing/screens/settings.ts'
import { kept } from './testing/screens/task-details.ts'
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
} from './testing/screens/todo-list.ts'

// Two devices of one person: an editor is open on one of them while the other changes the same thing.

test.use({ timezoneId: 'UTC' })

const dates = (page: Page) => page.getByRole('dialog', { name: 'Due date and reminder' })
const openDates = (page: Page, title: string) =>
  row(page, title).getByRole('button', { name: 'Due date and reminder' })
const due = (page: Page) => dates(page).getByRole('textbox', { name: 'Type a date' })
const time = (page: Page) => dates(page).getByRole('spinbutton', { name: 'Time' })

async function rename(page: Page, title: string, to: string) {
  await edit(row(page, title)).click()
  await titleField(page).fill(to)
  await titleField(page).press('Enter')
  await expect(row(page, to)).toBeVisible()
}

const tomorrow = (page: Page) => page.getByRole('region', { name: /^Tomorrow/ }).getByRole('listitem')

async function chooseDue(page: Page, title: string, day: 'Tomorrow' | 'No date') {
  await openDates(page, title).click()
  await dates(page).getByRole('button', { name: day }).click()
  await page.keyboard.press('Escape')
  await expect(dates(page)).toHaveCount(0)
}

const dialog = habits.dialog
const habitName = (page: Page) => dialog(page).getByLabel('Habit Title')
const description = (page: Page) => dialog(page).getByLabel('Description')
const frequency = (page: Page) => dialog(page).getByLabel('Frequency')
const reminded = (page: Page) => dialog(page).getByRole('checkbox', { name: /^Remind me/ })
const timeOfDay = (page: Page) => dialog(page).getByLabel('Time', { exact: true })
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save Changes' })

async function openDialog(page: Page, habit: string) {
  await habits.name(habits.row(page, habit)).click()
  await habits.edit(habits.row(page, habit)).click()
  await expect(habitName(page)).toHaveValue(habit)
}

/** The ways to leave the title of a row, each with the task that it is tried on. */
const ways: [how: string, plants: string, leave: (page: Page, renamed: string) => Promise<unknown>][] = [
  ['Enter', 'roses', (page) => titleField(page).press('Enter')],
  ['Escape', 'tulips', (page) => titleField(page).press('Escape')],
  ['the confirm button', 'lilies', (page, renamed) => confirm(row(page, renamed)).click()],
  ['a click elsewhere', 'daisies', (page) => field(page).click()],
  ['the next button, by keyboard', 'asters', (page) => titleField(page).press('Tab')],
  [
    'its dates, opened from the row',
    'poppies',
    async (page, renamed) => {
      await openDates(page, renamed).click()
      await expect(dates(page)).toHaveAccessibleDescription(renamed)
      await page.keyboard.press('Escape')
    },
  ],
]

test('an untouched title shows a rename made elsewhere, and sends nothing', async ({ page }) => {
  const open = ways.flatMap(([, plants]) => [`Water the ${plants}`, `Cut the ${plants}`])
  await listening(page, () => openList(page, { open }))
  const other = await otherDevice(page, '/todos')
  for (const [how, plants, leave] of ways) {
    await test.step(`left by ${how}`, async () => {
      const [before, after, next] = [`Water the ${plants}`, `Feed the ${plants}`, `Cut the ${plants}`]
      await edit(row(page, before)).click()
      await expect(titleField(page)).toHaveValue(before)
      await rename(other, before, after)
      await expect(titleField(page)).toHaveValue(after)
      const sent = watchChanges(page)
      await leave(page, after)
      await expect(titleField(page)).toHaveCount(0)
      // Changes are sent in order: whatever leaving the field sent would come first.
      await tick(row(page, next)).click()
      await expect.poll(() => sent).toHaveLength(1)
      expect(sent).toMatchObject([{ path: '/api/todos/{id}', body: { completed: 1 } }])
      await expect(row(page, after)).toBeVisible()
      await expect(row(other, after)).toBeVisible()
      expect((await keptTasks(page)).map(({ title }) => title)).toContain(after)
    })
  }
  await other.context().close()
})

test('a title being typed, and dates, while they change elsewhere', async ({ page }) => {
  await listening(page, () =>
    openList(page, {
      open: ['Water the plants', 'Feed the cat', 'Wash the dog', 'Pay the rent', 'Call Ada'],
    }),
  )
  const other = await otherDevice(page, '/todos')

  await test.step('a title being typed keeps what was typed, and saves that', async () => {
    await edit(row(page, 'Water the plants')).click()
    await page.keyboard.type(' today')
    await rename(other, 'Water the plants', 'Water the ferns')
    // The checkbox is labelled with the current title.
    await expect(page.getByRole('checkbox', { name: 'Water the ferns' })).toBeVisible()
    await expect(titleField(page)).toHaveValue('Water the plants today')
    await titleField(page).press('Enter')
    for (const device of [page, other]) await expect(row(device, 'Water the plants today')).toBeVisible()
  })

  await test.step('a title being typed, in a list by due date, stays in place and keeps the focus', async () => {
    await chooseDue(other, 'Pay the rent', 'Tomorrow')
    await sortBy(page, 'Due date')
    await expect(tomorrow(page).and(row(page, 'Pay the rent'))).toBeVisible()

    await test.step('while its due date changes elsewhere', async () => {
      await edit(row(page, 'Feed the cat')).click()
      await page.keyboard.type(' today')
      await chooseDue(other, 'Feed the cat', 'Tomorrow')
      await expect(row(page, 'Feed the cat')).toContainText('Due: Tomorrow')
      await expect(titleField(page)).toHaveValue('Feed the cat today')
      await expect(titleField(page)).toBeFocused()
      await titleField(page).press('Enter')
      await expect(tomorrow(page).and(row(page, 'Feed the cat today'))).toBeVisible()
      await expect(row(other, 'Feed the cat today')).toBeVisible()
      await chooseDue(other, 'Feed the cat today', 'No date')
      await expect(row(page, 'Feed the cat today')).not.toContainText('Due: ')
    })

    await test.step('while the last due date is removed elsewhere', async () => {
      await expect(tomorrow(page).and(row(page, 'Pay the rent'))).toBeVisible()
      await edit(row(page, 'Wash the dog')).click()
      await page.keyboard.type(' today')
      await chooseDue(other, 'Pay the rent', 'No date')
      await expect(row(page, 'Pay the rent')).not.toContainText('Due: ')
      await expect(titleField(page)).toHaveValue('Wash the dog today')
      await expect(titleField(page)).toBeFocused()
      await titleField(page).press('Enter')
      await expect(page.getByRole('list', { name: 'Open tasks' })).toContainText('Wash the dog today')
      await expect(row(other, 'Wash the dog today')).toBeVisible()
    })
  })

  await test.step("of a task's dates, an untouched one shows what was chosen elsewhere and is not sent", async () => {
    await openDates(page, 'Call Ada').click()
    await expect(due(page)).toHaveValue('')
    await time(page).fill('9')

    await openDates(other, 'Call Ada').click()
    await due(other).fill('2099-12-24')
    await due(other).press('Enter')
    await expect(due(page)).toHaveValue('Thu 24 Dec 2099')
    await expect(time(page)).toHaveValue('9')

    const sent = watchChanges(page)
    await time(page).press('Enter')
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({ reminder: { days_before: 0, time: 540 }, at: expect.any(String) })
    await expect
      .poll(() => kept(page, 'Call Ada'))
      .toMatchObject({ due_day: '2099-12-24', remind_at: '2099-12-24T09:00:00.000Z' })
  })
  await other.context().close()
})

test("in 'Edit Habit' and in the profile", async ({ page }) => {
  await listening(page, () =>
    habits.openHabits(page, [{ name: 'Read', description: 'Before bed' }, { name: 'Write' }]),
  )
  const other = await otherDevice(page, '/habits')

  await test.step('untouched fields show what was changed elsewhere, and a description is saved alone', async () => {
    await openDialog(page, 'Read')
    await description(page).fill('On the train')
    await openDialog(other, 'Read')
    await habitName(other).fill('Read 20 pages')
    await frequency(other).selectOption('weekly')
    await reminded(other).check()
    await timeOfDay(other).fill('07:30')
    await save(other).click()
    await expect(dialog(other)).toHaveCount(0)

    await expect(habitName(page)).toHaveValue('Read 20 pages')
    await expect(frequency(page)).toHaveValue('weekly')
    await expect(reminded(page)).toBeChecked()
    await expect(timeOfDay(page)).toHaveValue('07:30')
    await expect(description(page)).toHaveValue('On the train')

    const sent = habits.watchChanges(page)
    await save(page).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({ description: 'On the train', at: expect.any(String) })
    await expect
      .poll(() => habits.saidHabits(page))
      .toContainEqual(
        expect.objectContaining({
          name: 'Read 20 pages',
          description: 'On the train',
          frequency: 'weekly',
          reminder: expect.objectContaining({ time: 450 }),
        }),
      )
  })

  await test.step('a typed name is kept, whatever it was changed to elsewhere', async () => {
    await openDialog(page, 'Write')
    await habitName(page).fill('Write at night')
    await openDialog(other, 'Write')
    await habitName(other).fill('Write 20 pages')
    await description(other).fill('Before bed')
    await save(other).click()
    await expect(description(page)).toHaveValue('Before bed')
    await expect(habitName(page)).toHaveValue('Write at night')
    await save(page).click()
    for (const device of [page, other]) await expect(habits.row(device, 'Write at night')).toBeVisible()
  })

  await test.step('an untouched name in the profile follows the one saved elsewhere, and is not sent', async () => {
    for (const device of [page, other]) {
      await userMenu(device).click()
      await device.getByRole('menuitem', { name: 'Settings' }).click()
      await expect(devices(device).getByText('This device')).toBeVisible()
    }
    const sent = countSent(page, 'update-user')
    const saveProfile = (device: Page) => device.getByRole('button', { name: 'Save Changes' })
    await fullName(other).fill('Ada-Lind')
    await saveProfile(other).click()
    await expect(fullName(page)).toHaveValue('Ada-Lind')
    await saveProfile(page).click()
    await expect(toast(page, 'No changes to save')).toBeVisible()
    expect(sent()).toBe(0)

    await fullName(page).fill('Grace-Lind')
    await fullName(other).fill('Maren-Lind')
    await saveProfile(other).click()
    await expect(page.getByRole('button', { name: /^M.*account menu$/ })).toBeVisible()
    await expect(fullName(page)).toHaveValue('Grace-Lind')
    await saveProfile(page).click()
    await expect.poll(async () => (await userOf(page))?.name).toBe('Grace-Lind')
    await expect(fullName(other)).toHaveValue('Grace-Lind')
  })
  await other.context().close()
})
