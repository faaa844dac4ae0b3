import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { resize } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { details, kept, keptTodos, make, openDetails, property } from './testing/screens/task-details.ts'
import {
  clearTasks,
  field,
  more,
  openTasks,
  row,
  sortBy,
  tick,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const tagField = (page: Page) => details(page).getByRole('combobox', { name: 'Add a tag' })
const chips = (page: Page) =>
  details(page).getByRole('list', { name: 'Tags of this task' }).getByRole('listitem')
const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })

async function giveTagged(page: Page) {
  await make(page, { title: 'Plain' })
  await make(page, { title: 'Buy paint', tags: ['hall', 'shop'] })
  await make(page, { title: 'Measure', tags: ['hall'] })
}

async function openTagged(page: Page) {
  await signUpBehindTheScreens(page)
  await giveTagged(page)
  await page.goto('/todos')
  await settled(page)
}

/** The three tasks as they were, in place of all others, on the page of all tasks. */
async function taggedAgain(page: Page) {
  await settled(page)
  if (!page.url().endsWith('/todos')) {
    await page.getByRole('link', { name: 'Todos', exact: true }).first().click()
    await expect(heading(page)).toHaveText('Todo List')
  }
  await clearTasks(page)
  await giveTagged(page)
  await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Measure', 'Buy paint', 'Plain'])
  await closeToasts(page)
  await settled(page)
}

/** Opens the page of a tag from a task that has it. */
async function openTag(page: Page, tag: string) {
  // On one line, a row shows only the first of its tags.
  await resize(page, 1000)
  await openTasks(page)
    .getByRole('link', { name: `#${tag}`, exact: true })
    .first()
    .click()
  await expect(heading(page)).toHaveText(new RegExp(`^#${tag}$`, 'i'))
  await resize(page, 1280)
}

async function askForTag(page: Page, item: 'Rename everywhere' | 'Remove everywhere') {
  await page.getByRole('button', { name: /^Actions for tag/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('the tags of a task', async ({ page }) => {
  await openTagged(page)

  await test.step('what cannot be a tag is said', async () => {
    await openDetails(page, 'Plain')
    await property(page, 'Tags').click()
    await page.keyboard.type('x'.repeat(51))
    await expect(details(page).getByRole('alert')).toHaveText('Tag must not exceed 50 characters')
    await page.keyboard.press('Enter')
    await expect(tagField(page)).toHaveValue('x'.repeat(51))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('a tag that is half typed is there when somebody goes back', async () => {
    await openDetails(page, 'Plain')
    await property(page, 'Tags').click()
    await page.keyboard.type('attic')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
    await expect(row(page, 'Plain').getByRole('link')).toHaveText(['#attic'])
  })

  await test.step('tags in use are offered when they are asked for, and never lie over those to remove', async () => {
    await taggedAgain(page)
    await openDetails(page, 'Measure')
    await property(page, 'Tags').click()
    await expect(tagField(page)).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(0)
    await details(page).getByRole('button', { name: 'Remove tag hall' }).click()
    await expect(chips(page)).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { selected: true })).toHaveText('#hall')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('tags are typed, completed from those in use, and shown on the row', async () => {
    await taggedAgain(page)
    await openDetails(page, 'Plain')
    await property(page, 'Tags').click()
    await expect(tagField(page)).toBeFocused()
    await page.keyboard.type('ha')
    await expect(page.getByRole('option')).toHaveText(['#hall'])
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { selected: true })).toHaveText('#hall')
    await expectNoAxeViolations(page)
    await page.keyboard.press('Enter')
    await expect(chips(page)).toHaveText(['#hall'])
    await page.keyboard.type('#two  words,')
    await expect(chips(page)).toHaveText(['#hall', '#two words'])
    await page.keyboard.press('Enter')
    await expect(property(page, 'Tags')).toBeFocused()
    await expect(property(page, 'Tags')).toHaveText('Tags: #hall#two words')
    await expect.poll(() => kept(page, 'Plain')).toMatchObject({ tags: ['hall', 'two words'] })
    await details(page).getByRole('button', { name: 'Close' }).click()
    await expect(details(page)).toHaveCount(0)
    await expect(row(page, 'Plain').getByRole('link')).toHaveText(['#hall'])
    await expect(row(page, 'Plain').getByText('+1')).toBeVisible()
    await resize(page, 1000)
    await expect(row(page, 'Plain').getByRole('link')).toHaveText(['#hall', '#two words'])
    await resize(page, 1280)
  })

  await test.step('a tag is removed by its button, or by Backspace in the empty field', async () => {
    await openDetails(page, 'Buy paint')
    await property(page, 'Tags').click()
    await details(page).getByRole('button', { name: 'Remove tag hall' }).click()
    await expect(chips(page)).toHaveText(['#shop'])
    await expect(tagField(page)).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect(chips(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(property(page, 'Tags')).toHaveText('Tags: No tags')
    await expect.poll(() => kept(page, 'Buy paint')).toMatchObject({ tags: [] })
    await details(page).getByRole('button', { name: 'Close' }).click()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('a press on a tag shows its tasks, at an address of its own; what is added there has it', async () => {
    await taggedAgain(page)
    await row(page, 'Measure').getByRole('link', { name: '#hall' }).click()
    await expect(page).toHaveURL(/\/tags\/hall$/)
    await expect(heading(page)).toHaveText(/^#hall$/i)
    await expect(heading(page)).toBeFocused()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Measure', 'Buy paint'])
    await field(page).fill('Choose a colour')
    await field(page).press('Enter')
    await expect(row(page, 'Choose a colour')).toBeVisible()
    await expect
      .poll(() => kept(page, 'Choose a colour'))
      .toMatchObject({ tags: [expect.stringMatching(/^hall$/i)] })
  })
})

test('the page of a tag', async ({ page }) => {
  await openTagged(page)
  const { list: home } = await call(page, 'post', '/api/lists', { name: 'Home' })

  await test.step('a tag is renamed on all tasks at once, completed ones too, with Undo', async () => {
    await make(page, { title: 'Long done', tags: ['hall'], completed: 1 })
    await openTag(page, 'hall')
    await expect(row(page, 'Long done')).toBeVisible()
    await askForTag(page, 'Rename everywhere')
    await page.getByRole('dialog').getByRole('textbox').fill('corridor')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect(heading(page)).toHaveText('#corridor')
    await expect(page).toHaveURL(/\/tags\/corridor$/)
    const tags = async () => (await keptTodos(page)).map((todo) => todo.tags)
    await expect.poll(tags).toEqual([['corridor'], ['corridor'], ['corridor', 'shop'], []])
    await undo(page).click()
    await expect(heading(page)).toHaveText(/^#hall$/i)
    await expect.poll(async () => JSON.stringify(await tags())).not.toContain('corridor')
  })

  await test.step('renamed to one that is in use, the two become one, which is said before', async () => {
    await taggedAgain(page)
    await openTag(page, 'shop')
    await askForTag(page, 'Rename everywhere')
    await page.getByRole('dialog').getByRole('textbox').fill('HALL')
    await expect(page.getByRole('dialog')).toContainText("the two become one, which can't be undone")
    await page.getByRole('dialog').getByRole('button', { name: 'Join Tags' }).click()
    await expect(heading(page)).toHaveText(/^#hall$/i)
    await expect(undo(page)).toHaveCount(0)
    await expect
      .poll(() => kept(page, 'Buy paint'))
      .toMatchObject({ tags: [expect.stringMatching(/^hall$/i)] })
  })

  await test.step('a tag that only long completed tasks have is in use, too', async () => {
    await taggedAgain(page)
    const long = { completed: 1, day: '2020-01-01', at: '2020-01-01T08:00:00Z', tags: ['archive'] }
    await make(page, { title: 'Long done', ...long })
    await openTag(page, 'shop')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/tags', async (route) => {
      await held.promise
      await route.continue()
    })
    await askForTag(page, 'Rename everywhere')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('archive')
    // Even who presses before the server has answered reads it first.
    await dialog.getByRole('button', { name: 'Rename' }).click()
    held.resolve()
    await expect(dialog).toContainText("the two become one, which can't be undone")
    await dialog.getByRole('button', { name: 'Join Tags' }).click()
    await expect(heading(page)).toHaveText('#archive')
    await expect(undo(page)).toHaveCount(0)
    await page.unroute('**/api/tags')
  })

  await test.step('a subtask with the tag stays in the list of its task: it can be moved to none alone', async () => {
    await taggedAgain(page)
    const trip = await make(page, { title: 'Trip', list_id: home.id })
    await make(page, { title: 'Pack', parent_id: trip.id, tags: ['hall'] })
    await openTag(page, 'hall')
    await expect(row(page, 'Pack')).toContainText('List: Home')
    await sortBy(page, 'Manual')
    await more(row(page, 'Pack')).click()
    await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Move to …' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await sortBy(page, 'Newest')
    await expect(more(row(page, 'Measure'))).toBeAttached()
    await expect(more(row(page, 'Pack'))).toHaveCount(0)
    await tick(row(page, 'Pack')).press('l')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await tick(row(page, 'Measure')).press('l')
    await expect(page.getByRole('menu', { name: 'Move to' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('a tag is removed everywhere only after a question, and Undo gives it back to the tasks that had it', async () => {
    await taggedAgain(page)
    await make(page, { title: 'Loudly', tags: ['HALL'], completed: 1 })
    await openTag(page, 'hall')
    await expect(row(page, 'Loudly')).toBeVisible()
    await askForTag(page, 'Remove everywhere')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Measure', 'Buy paint'])
    await askForTag(page, 'Remove everywhere')
    await expect(page.getByRole('alertdialog')).not.toContainText("can't be undone")
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Tag' }).click()
    await expect(heading(page)).toHaveText('Todo List')
    const tags = async () => (await keptTodos(page)).map((todo) => todo.tags)
    await expect.poll(tags).toEqual([[], [], ['shop'], []])
    await undo(page).click()
    await expect(row(page, 'Measure').getByRole('link')).toHaveText(['#hall'])
    await expect.poll(tags).toEqual([['HALL'], ['hall'], ['hall', 'shop'], []])
  })

  await test.step('a tag that no task has any more says so, and those in an archived list do not count', async () => {
    await taggedAgain(page)
    const { list } = await call(page, 'post', '/api/lists', { name: 'Old' })
    await make(page, { title: 'Put away', tags: ['shop'], list_id: list.id })
    await call(page, 'put', `/api/lists/${list.id}`, { archived_at: '2026-11-20T08:00:00Z' })
    await openTag(page, 'shop')
    await expect(page.getByRole('main').getByText('1 open', { exact: true })).toBeVisible()
    await page.goto('/tags/nothing')
    await expect(page.getByText('No tasks have this tag. What you add here gets it.')).toBeVisible()
  })
})

// By itself: a page that was open knows of tasks that the next one does not.
test('a tag that also long completed tasks have is removed for good, which is said before', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  await giveTagged(page)
  const long = { completed: 1, day: '2020-01-01', at: '2020-01-01T08:00:00Z', tags: ['hall'] }
  await make(page, { title: 'Long done', ...long })
  await page.goto('/tags/hall')
  const read = page.waitForResponse('**/api/tags')
  await askForTag(page, 'Remove everywhere')
  await read
  await expect(page.getByRole('alertdialog')).toContainText("This can't be undone")
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Tag' }).click()
  await expect(toasts(page)).toContainText('Tag removed')
  await expect(undo(page)).toHaveCount(0)
  await expect.poll(async () => JSON.stringify(await keptTodos(page))).not.toContain('hall')
})
