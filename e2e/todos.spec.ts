import { expect } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  addButton,
  confirm,
  createTasks,
  edit,
  field,
  keptTasks,
  openList,
  openTasks,
  remove,
  replaceTasks,
  row,
  tick,
  titleField,
  titlesIn,
  watchChanges,
} from './testing/screens/todo-list.ts'

test('the list of tasks', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await createTasks(page, { open: ['Return library books'], completed: ['Pay the electricity bill'] })

  await test.step("shows a full-screen 'Loading...' while the list loads", async () => {
    const letGo = await holdRequest(page, readsOf('todos'))
    const asked = page.waitForRequest(readsOf('todos'))
    await page.goto('/todos')
    await asked
    const loading = page.getByRole('status').filter({ hasText: 'Loading...' })
    await expect.poll(() => loading.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 })
    letGo()
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    await expect(loading).toHaveCount(0)
    await settled(page)
  })

  await test.step("has the title 'Todo List' and the subtitle 'Plan your day and track your tasks'", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Todo List')
    await expect(page.getByText('Plan your day and track your tasks')).toBeVisible()
    await expect(page).toHaveTitle('Todos · Daymark')
  })

  await test.step('shows each task as a list item: checkbox named by its title first, then the title, due date, edit and delete', async () => {
    const task = openTasks(page).getByRole('listitem')
    await expect(task).toHaveCount(1)
    await expect(task.getByRole('checkbox').first()).toHaveAccessibleName('Return library books')
    await expect(task.getByRole('button')).toHaveCount(4)
    await expect(task.getByRole('button').first()).toHaveText('Return library books')
    await expect(edit(task)).toBeVisible()
    await expect(remove(task)).toBeVisible()
  })

  await test.step('strikes a completed title through and greys it', async () => {
    const look = (title: string) =>
      page
        .getByText(title, { exact: true })
        .evaluate((text) => [getComputedStyle(text).textDecorationLine, getComputedStyle(text).color])
    const [open, completed] = [await look('Return library books'), await look('Pay the electricity bill')]
    expect(open[0]).toBe('none')
    expect(completed[0]).toBe('line-through')
    expect(completed[1]).not.toBe(open[1])
  })

  await test.step('saves an edit on blur', async () => {
    await replaceTasks(page, { open: ['Send invoice'] })
    await edit(row(page, 'Send invoice')).click()
    await titleField(page).fill('Send October invoice')
    await page.getByText('Plan your day and track your tasks').click()
    await expect(titleField(page)).toHaveCount(0)
    await expect(row(page, 'Send October invoice')).toBeVisible()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Send October invoice', completed: 0 }])
  })

  await test.step('cancels an edit on Escape, and the blur afterwards saves nothing', async () => {
    const sent = watchChanges(page)
    await edit(row(page, 'Send October invoice')).click()
    await titleField(page).fill('Never send it')
    await page.keyboard.press('Escape')
    await expect(titleField(page)).toHaveCount(0)
    await expect(row(page, 'Send October invoice')).toBeVisible()
    await tick(row(page, 'Send October invoice')).click()
    await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/todos/{id}'])
  })

  await test.step('edits in an input pre-filled with the current title, and saves on Enter', async () => {
    await settled(page)
    await replaceTasks(page, { open: ['Send invoice'] })
    await edit(row(page, 'Send invoice')).click()
    await expect(titleField(page)).toBeFocused()
    await expect(titleField(page)).toHaveValue('Send invoice')
    await page.keyboard.type(' for October')
    await page.keyboard.press('Enter')
    await expect(titleField(page)).toHaveCount(0)
    await expect(row(page, 'Send invoice for October')).toBeVisible()
  })

  await test.step("adds with the button and with Enter from the text box 'Add a new task...'", async () => {
    await field(page).fill('Return library books')
    await addButton(page).click()
    await expect(row(page, 'Return library books')).toBeVisible()
    await field(page).fill('Water the lemon tree')
    await field(page).press('Enter')
    await expect(row(page, 'Water the lemon tree')).toBeVisible()
    await expect(field(page)).toHaveValue('')
    // The button is enabled again once the device has stored the task: from then on a reload cannot lose it.
    await expect(addButton(page)).toBeEnabled()
  })

  await test.step('what was edited and added is there after a reload', async () => {
    await page.reload()
    await expect
      .poll(() => titlesIn(openTasks(page)))
      .toEqual(['Water the lemon tree', 'Return library books', 'Send invoice for October'])
  })
})

test('a title is edited in its row', async ({ page }) => {
  await openList(page, { open: ['Send invoice', 'Call Iris', 'First', 'Second', 'Pay the rent', 'Last'] })

  await test.step('clicking Confirm saves once and does not reopen the field', async () => {
    const sent = watchChanges(page)
    await edit(row(page, 'Send invoice')).click()
    await titleField(page).fill('Send October invoice')
    await confirm(row(page, 'Send invoice')).click()
    await expect(edit(row(page, 'Send October invoice'))).toBeVisible()
    await expect(titleField(page)).toHaveCount(0)
    await expect.poll(() => sent).toHaveLength(1)
  })

  await test.step('Tab to Confirm and Enter on it saves once and does not reopen the field', async () => {
    await settled(page)
    const sent = watchChanges(page)
    await edit(row(page, 'Call Iris')).click()
    await titleField(page).fill('Call Iris in October')
    await page.keyboard.press('Tab')
    await expect(confirm(row(page, 'Call Iris in October'))).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(edit(row(page, 'Call Iris in October'))).toBeFocused()
    await expect(titleField(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(titleField(page)).toBeFocused()
    await expect.poll(() => sent).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(titleField(page)).toHaveCount(0)
  })

  await test.step('editing another task saves the previous one', async () => {
    await edit(row(page, 'First')).click()
    await titleField(page).fill('First, renamed')
    await edit(row(page, 'Second')).click()
    await expect(row(page, 'First, renamed')).toBeVisible()
    await expect(titleField(page)).toHaveValue('Second')
    await page.keyboard.press('Escape')
    await expect(titleField(page)).toHaveCount(0)
  })

  await test.step("Enter that ends an input method's composition does not save", async () => {
    await edit(row(page, 'Second')).click()
    await titleField(page).evaluate((input) =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })),
    )
    await expect(titleField(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(titleField(page)).toHaveCount(0)
  })

  await test.step('deleting while editing saves nothing first and restores nothing', async () => {
    await settled(page)
    const sent = watchChanges(page)
    await edit(row(page, 'Pay the rent')).click()
    await titleField(page).fill('Pay the October rent')
    await remove(row(page, 'Pay the rent')).click()
    const left = ['Send October invoice', 'Call Iris in October', 'First, renamed', 'Second', 'Last']
    await expect.poll(() => keptTasks(page)).toEqual(left.map((title) => ({ title, completed: 0 })))
    expect(sent.map(({ method }) => method)).toEqual(['DELETE'])
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(left.length)
  })
})

test('a title that is empty or too long is refused', async ({ page }) => {
  await openList(page, { open: ['Send invoice', 'Call Iris', 'Pay the rent'] })

  await test.step('a new task is trimmed', async () => {
    const sent = watchChanges(page)
    await field(page).fill('   Water the lemon tree  ')
    await field(page).press('Enter')
    await expect.poll(() => sent).toMatchObject([{ body: { title: 'Water the lemon tree' } }])
    await expect
      .poll(async () => (await keptTasks(page)).slice(0, 1))
      .toEqual([{ title: 'Water the lemon tree', completed: 0 }])
  })

  await test.step('an empty new task sends nothing', async () => {
    await settled(page)
    const sent = watchChanges(page)
    await field(page).press('Enter')
    await field(page).fill('    ')
    await addButton(page).click()
    await field(page).fill('A real one')
    await field(page).press('Enter')
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({ title: 'A real one' })
  })

  await test.step('a title that is too long shows an error, stays in the field, and is not sent', async () => {
    await settled(page)
    const sent = watchChanges(page)
    await field(page).fill('x'.repeat(501))
    await expect(page.getByRole('alert')).toHaveText('Title must not exceed 500 characters')
    await expect(field(page)).toHaveAccessibleDescription('Title must not exceed 500 characters')
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue('x'.repeat(501))
    await field(page).fill('')
    await expect(page.getByRole('alert')).toHaveCount(0)

    await edit(row(page, 'Send invoice')).click()
    await titleField(page).fill('x'.repeat(501))
    await titleField(page).press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Title must not exceed 500 characters')
    await page.getByText('Plan your day').click()
    await expect(titleField(page)).toHaveValue('x'.repeat(501))
    await titleField(page).fill('x'.repeat(500))
    await titleField(page).press('Enter')
    await expect.poll(() => sent).toHaveLength(1)
  })

  for (const [what, task, title] of [
    ['empty', 'Call Iris', '   '],
    ['unchanged', 'Pay the rent', '  Pay the rent '],
  ] as const) {
    await test.step(`an edit that is ${what} is not saved`, async () => {
      await settled(page)
      const sent = watchChanges(page)
      await edit(row(page, task)).click()
      await titleField(page).fill(title)
      await page.getByText('Plan your day').click()
      await expect(titleField(page)).toHaveCount(0)
      await expect(row(page, task)).toBeVisible()
      await tick(row(page, task)).click()
      await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/todos/{id}'])
    })
  }

  await test.step('no Enter is lost when someone types faster than the device stores', async () => {
    await settled(page)
    await replaceTasks(page, {})
    await closeToasts(page)
    await field(page).focus()
    const typed = ['Milk', 'Bread', 'Lemons', 'Rice', 'Tea', 'Salt', 'Apples', 'Oats']
    for (const title of typed) {
      await page.keyboard.insertText(title)
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(typed.toReversed())
    await expect.poll(async () => (await keptTasks(page)).length).toBe(typed.length)
  })

  await test.step('the add button is disabled while an add is pending, that is until the device has stored it', async () => {
    await settled(page)
    await addButton(page).evaluate((button) => {
      const states: boolean[] = []
      new MutationObserver(() => states.push(button.hasAttribute('disabled'))).observe(button, {
        attributes: true,
        attributeFilter: ['disabled'],
      })
      Object.assign(window, { states })
    })
    await page.route('**/api/todos', () => {})
    await field(page).fill('Water the lemon tree')
    await addButton(page).click()
    // The server never responds, and the button is enabled again: it waited only for the device.
    await expect.poll(() => page.evaluate('states')).toEqual([true, false])
    await expect(addButton(page)).toBeEnabled()
  })
})
