import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { titleIn } from './testing/screens/task-details.ts'
import {
  addButton,
  completedTasks,
  edit,
  field,
  keptTasks,
  openList,
  openTasks,
  remove,
  replaceTasks,
  row,
  runUntilVisible,
  sortBy,
  stopTime,
  tick,
  titleField,
  toasts,
} from './testing/screens/todo-list.ts'

async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

test('by keyboard, with a clock', async ({ page }) => {
  await page.clock.install()
  await openList(page)

  const given = async (open: readonly string[]) => {
    await page.clock.resume()
    await settled(page)
    await replaceTasks(page, { open })
    await closeToasts(page)
  }

  await test.step('with the keyboard alone: add, complete, rename, delete and undo', async () => {
    await press(page, 'n')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('Send invoice')
    await press(page, 'Enter')
    await expect(row(page, 'Send invoice')).toBeVisible()
    await page.keyboard.type('Return library books')
    await press(page, 'Enter')
    await expect(row(page, 'Return library books')).toBeVisible()

    // Until the device has stored a task, its button is disabled and no Tab stop.
    await expect(addButton(page)).toBeEnabled()
    await press(page, 'Tab', 'Tab')
    await expect(tick(row(page, 'Return library books'))).toBeFocused()
    // Its due date, edit and delete, then the next task.
    await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab')
    await expect(edit(row(page, 'Send invoice'))).toBeFocused()
    await press(page, 'Enter')
    await expect(titleField(page)).toBeFocused()
    await page.keyboard.type(' for October')
    await press(page, 'Enter')
    await expect(edit(row(page, 'Send invoice for October'))).toBeFocused()

    await press(page, 'Shift+Tab', 'Shift+Tab', 'Space')
    await expect(completedTasks(page).getByText('Send invoice for October')).toBeVisible()
    await stopTime(page)
    await press(page, 'Tab', 'Tab', 'Tab', 'Enter')
    await expect(row(page, 'Return library books')).toHaveCount(0)
    await runUntilVisible(page, toasts(page).filter({ hasText: 'Task deleted' }))
    // The toast itself, then Undo.
    await press(page, 'Alt+t', 'Tab', 'Tab')
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await press(page, 'Enter')
    await expect(tick(row(page, 'Return library books'))).toBeFocused()
    await expect
      .poll(() => keptTasks(page))
      .toEqual([
        { title: 'Return library books', completed: 0 },
        { title: 'Send invoice for October', completed: 1 },
      ])
  })

  await test.step('after completing a task with a key, the focus is on the next one at once, and from the last on the one before once it has moved', async () => {
    await given(['First', 'Second', 'Third'])
    await stopTime(page)
    await tick(row(page, 'Second')).press('Space')
    await expect(tick(row(page, 'Third'))).toBeFocused()
    await runUntilVisible(page, completedTasks(page).getByText('Second'))
    await expect(tick(row(page, 'Third'))).toBeFocused()
    await press(page, 'Space')
    await expect(tick(row(page, 'Third'))).toBeFocused()
    await runUntilVisible(page, completedTasks(page).getByText('Third'))
    await expect(tick(row(page, 'First'))).toBeFocused()
  })

  await test.step('a task stays where it is while it is edited, even if it was just ticked', async () => {
    await given(['First', 'Second'])
    await stopTime(page)
    await tick(row(page, 'First')).click()
    await edit(row(page, 'First')).click()
    await page.keyboard.type(', and more')
    await page.clock.runFor(5_000)
    await expect(titleField(page)).toBeFocused()
    await expect(titleField(page)).toHaveValue('First, and more')
    await press(page, 'Enter')
    await runUntilVisible(page, completedTasks(page).getByText('First, and more'))
  })

  await test.step('the screen announces what is not in sight of everybody: a task that was added, completed, reopened, moved or restored', async () => {
    await given(['First'])
    const said = () => page.evaluate<string[]>('said')
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(window, { said })
      // The toasts' live region loads after the rest of the screen.
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const at = target instanceof Element ? target : target.parentElement
          const region = at?.closest('[aria-live=polite]')
          // What is added is read, and otherwise the text that has changed.
          if (region) said.push(addedNodes[0]?.textContent ?? at?.textContent ?? '')
        }
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })
    await field(page).fill('Second')
    await field(page).press('Enter')
    await expect.poll(said).toContain('Task added')
    await tick(row(page, 'Second')).click()
    await expect.poll(said).toContain('Second completed')
    await expect(completedTasks(page).getByText('Second')).toBeVisible()
    await tick(row(page, 'Second')).click()
    await expect.poll(said).toContain('Second reopened')
    await expect(openTasks(page).getByText('Second')).toBeVisible()
    expect(await said(), 'a ticked row leaves by itself').not.toContain('Task moved')

    for (const title of ['Second', 'First']) await tick(row(page, title)).click()
    await expect.poll(said).toContain('First completed')
    expect(await said()).toEqual(expect.arrayContaining(['Second completed', 'First completed']))
    expect((await said()).filter((sentence) => sentence === 'Second completed')).toHaveLength(2)
    for (const title of ['Second', 'First']) await tick(row(page, title)).click()

    await sortBy(page, 'Priority')
    await tick(row(page, 'First')).focus()
    await press(page, 'p')
    await expect.poll(said).toContain('Task moved')
    await press(page, 'p', 'p', 'p')
    await sortBy(page, 'Newest')
    await stopTime(page)
    await remove(row(page, 'First')).click()
    await expect
      .poll(async () => {
        // The toast loads after the rest of the screen, and is announced a moment after it is shown.
        await page.clock.runFor(100)
        return (await said()).some((text) => text.includes('Task deleted'))
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(said).toContain('Task restored')
    await expect(openTasks(page).getByRole('listitem')).toHaveCount(2)
  })
})

test('the focus and the key N', async ({ page }) => {
  await openList(page)

  await test.step('the focus is never lost', async () => {
    await test.step('after an add it is in the field, whichever way the task was added', async () => {
      await field(page).fill('First')
      await addButton(page).click()
      await expect(row(page, 'First')).toBeVisible()
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('Second')
      await press(page, 'Enter')
      await expect(row(page, 'Second')).toBeVisible()
      await expect(field(page)).toBeFocused()
    })

    await test.step('after a deletion it is on the next row, or the one before, or the heading', async () => {
      await settled(page)
      await replaceTasks(page, { open: ['First', 'Second', 'Third'] })
      await remove(row(page, 'Second')).press('Enter')
      await expect(tick(row(page, 'Third'))).toBeFocused()
      await remove(row(page, 'Third')).press('Enter')
      await expect(tick(row(page, 'First'))).toBeFocused()
      await remove(row(page, 'First')).press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    })

    await test.step('Delete on a row deletes its task once, however long the key is held, and goes on to the next', async () => {
      await settled(page)
      await replaceTasks(page, { open: ['First', 'Second', 'Third'] })
      await closeToasts(page)
      await tick(row(page, 'First')).focus()
      await page.keyboard.down('Delete')
      await page.keyboard.down('Delete')
      await page.keyboard.up('Delete')
      await expect(tick(row(page, 'Second'))).toBeFocused()
      await expect(openTasks(page).getByRole('listitem')).toHaveCount(2)
      await expect(toasts(page)).toContainText('Task deleted')
      await press(page, 'Backspace')
      await expect(tick(row(page, 'Third'))).toBeFocused()
      await toasts(page).filter({ hasText: 'Second' }).getByRole('button', { name: 'Undo' }).click()
      await expect(row(page, 'Second')).toBeVisible()
    })

    await test.step('with another key held it deletes nothing, and after a click on a title neither does Backspace', async () => {
      await tick(row(page, 'Third')).focus()
      await press(page, 'Control+Backspace', 'Control+Delete', 'Meta+Backspace', 'Shift+Delete')
      await titleIn(row(page, 'Third')).focus()
      await press(page, 'Backspace')
      await expect(openTasks(page).getByRole('listitem')).toHaveCount(2)
      await press(page, 'Delete')
      await expect(row(page, 'Third')).toHaveCount(0)
      await page.keyboard.press('Control+z')
      await expect(row(page, 'Third')).toBeVisible()
    })

    await test.step('and in a title that is edited it deletes a letter', async () => {
      await edit(row(page, 'Third')).press('Enter')
      await press(page, 'Home', 'Delete', 'End', 'Backspace', 'Enter')
      await expect(row(page, 'hir')).toBeVisible()
      await expect(row(page, 'Second')).toBeVisible()
    })

    await test.step('Escape returns it to the edit button', async () => {
      await settled(page)
      await replaceTasks(page, { open: ['First'] })
      await edit(row(page, 'First')).press('Enter')
      await press(page, 'Escape')
      await expect(edit(row(page, 'First'))).toBeFocused()
    })
  })

  await test.step('the key N', async () => {
    await test.step('is a letter while editing a title, and does nothing with other keys', async () => {
      await press(page, 'Alt+n')
      await expect(field(page)).not.toBeFocused()
      await edit(row(page, 'First')).click()
      await press(page, 'n')
      await expect(titleField(page)).toHaveValue('Firstn')
      await press(page, 'Escape')
      await expect(titleField(page)).toHaveCount(0)
    })

    await test.step('focuses the field if no field has the focus, from a checkbox, too', async () => {
      await tick(row(page, 'First')).focus()
      await press(page, 'n')
      await expect(field(page)).toBeFocused()
      await expect(field(page)).toHaveValue('')
      await press(page, 'n')
      await expect(field(page)).toHaveValue('n')
      await field(page).clear()
    })

    await test.step('is shown in the field, and can be turned off in the user menu', async () => {
      // Not while somebody is in it.
      await tick(row(page, 'First')).focus()
      await expect(page.locator('kbd', { hasText: 'N' })).toBeVisible()
      await page.getByRole('button', { name: 'account menu' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
      await press(page, 'Escape')
      await expect(page.locator('kbd', { hasText: 'N' })).toHaveCount(0)
      await press(page, 'n')
      await expect(field(page)).not.toBeFocused()
      await page.reload()
      await expect(field(page)).toBeVisible()
      await expect(page.locator('kbd', { hasText: 'N' })).toHaveCount(0)
    })
  })
})
