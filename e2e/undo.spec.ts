import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  beginEdit,
  completedTasks,
  createTasks,
  deleteTask,
  field,
  keptTasks,
  openList,
  openTasks,
  replaceTasks,
  row,
  tick,
  titleField,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

async function undoIsThere(page: Page): Promise<void> {
  await fetchedLater(page, 'undo-handler-')
  await fetchedLater(page, 'toaster-')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/** Every to-do that the server has, as it has them. */
async function stored(page: Page): Promise<Record<string, unknown>[]> {
  const response = await page.request.get('/api/todos')
  const { todos }: { todos: Record<string, unknown>[] } = await response.json()
  return todos
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await beginEdit(row(page, from))
  await titleField(page).fill(to)
  await titleField(page).press('Enter')
  await expect(row(page, to)).toBeVisible()
}

const open = ['One', 'Two', 'Three']

/** These tasks again, and nothing told. What was undone and done before can still be. */
async function openAgain(page: Page, tasks: readonly string[] = open): Promise<void> {
  await settled(page)
  await replaceTasks(page, { open: tasks })
  await closeToasts(page)
}

test('undo', async ({ page }) => {
  const person = await signUpBehindTheScreens(page)
  await createTasks(page, { open })
  await page.goto('/todos')
  await undoIsThere(page)

  await test.step('what is told again while the former toast about it is leaving is seen', async () => {
    await tick(row(page, 'One')).focus()
    await page.keyboard.press('Control+z')
    const told = toasts(page).filter({ hasText: 'Nothing to undo' })
    await expect(told).toHaveAttribute('data-mounted', 'true')
    // Within the 200 ms that it takes to leave: a press from out here may come later.
    await told.evaluate(async (toast) => {
      const leaves = new Promise((resolve) => {
        new MutationObserver(resolve).observe(toast, { attributeFilter: ['data-removed'] })
      })
      toast.querySelector<HTMLElement>('[aria-label="Close notification"]')?.click()
      await leaves
      const undo = { key: 'z', code: 'KeyZ', ctrlKey: true, bubbles: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', undo))
      while (toast.isConnected) await new Promise(requestAnimationFrame)
    })
    await expect(told).toHaveCount(1)
  })

  await test.step('of two presses one right after the other, the words about the later one stand', async () => {
    await closeToasts(page)
    await tick(row(page, 'Two')).click()
    await expect(completedTasks(page)).toContainText('Two')
    await page.evaluate(() => {
      const undo = { key: 'z', code: 'KeyZ', ctrlKey: true, bubbles: true }
      for (let press = 1; press <= 2; press++)
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', undo))
    })
    await expect.poll(() => keptTasks(page)).toEqual(expect.arrayContaining([{ title: 'Two', completed: 0 }]))
    await expect(toasts(page)).toContainText('Nothing to undo')
  })

  await test.step('one press undoes the last change, and Shift with it does it again, each told in a toast', async () => {
    await openAgain(page)
    await tick(row(page, 'Two')).click()
    await expect(completedTasks(page)).toContainText('Two')
    await page.keyboard.press('Control+z')
    await expect(toasts(page)).toContainText('Undone: task completed')
    await expect(toasts(page)).toContainText('Two')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(open)
    await expect(tick(row(page, 'Two'))).toBeFocused()
    await page.keyboard.press('Control+Shift+z')
    await expect(toasts(page)).toContainText('Redone: task completed')
    await expect(completedTasks(page)).toContainText('Two')
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(open)
    await expect.poll(() => keptTasks(page)).toEqual(expect.arrayContaining([{ title: 'Two', completed: 0 }]))
  })

  await test.step('a new change ends what could be done again', async () => {
    await openAgain(page)
    await rename(page, 'One', 'Uno')
    await expect(row(page, 'Uno')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(row(page, 'One')).toBeVisible()
    await tick(row(page, 'Three')).click()
    await page.keyboard.press('Control+Shift+z')
    await expect(toasts(page)).toContainText('Nothing to redo')
    await expect(row(page, 'One')).toBeVisible()
  })

  await test.step('inside a text field the keys undo what was typed there', async () => {
    await openAgain(page)
    await tick(row(page, 'One')).click()
    await expect(completedTasks(page)).toContainText('One')
    await field(page).focus()
    await page.keyboard.type('Half a thought')
    await page.keyboard.press('Control+z')
    await expect(field(page)).not.toHaveValue('Half a thought')
    await expect(completedTasks(page)).toContainText('One')
    await field(page).clear()
  })

  await test.step('what another device has changed since stays, and the toast says so', async () => {
    await openAgain(page)
    await rename(page, 'One', 'Uno')
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toContain('Uno')
    const { id } = (await stored(page)).find(({ title }) => title === 'Uno') ?? {}
    await page.request.put(`/api/todos/${String(id)}/edit`, { data: { title: 'Eins' } })
    await expect(row(page, 'Eins')).toBeVisible()
    await tick(row(page, 'Two')).focus()
    await page.keyboard.press('Control+z')
    await expect(toasts(page)).toContainText('Not undone: task renamed')
    await expect(toasts(page)).toContainText('It has changed since')
    await expect(row(page, 'Eins')).toBeVisible()
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toContain('Eins')
  })

  await test.step('what another device has taken back already is not said to be undone', async () => {
    await openAgain(page)
    await rename(page, 'One', 'Uno')
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toContain('Uno')
    const { id } = (await stored(page)).find(({ title }) => title === 'Uno') ?? {}
    await page.request.put(`/api/todos/${String(id)}/edit`, { data: { title: 'One' } })
    await expect(row(page, 'One')).toBeVisible()
    await tick(row(page, 'Two')).focus()
    await page.keyboard.press('Control+z')
    await expect(toasts(page)).toContainText('Not undone: task renamed')
    await expect(toasts(page)).toContainText('Nothing is left to undo')
    await expect(toasts(page).getByRole('button', { name: 'Redo' })).toHaveCount(0)
  })

  await test.step('a change is undone long after its toast has gone', async () => {
    await openAgain(page)
    await deleteTask(row(page, 'Two'))
    await expect(row(page, 'Two')).toHaveCount(0)
    await page.mouse.move(0, 0)
    await expect(toasts(page)).toHaveCount(0, { timeout: 20_000 })
    await page.keyboard.press('Control+z')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(open)
  })

  await test.step('the last 20 changes are undone one by one, and what came before them stays', async () => {
    await openAgain(page, ['Kept'])
    for (let number = 1; number <= 21; number++) {
      await field(page).fill(`Task ${number}`)
      await page.keyboard.press('Enter')
      await expect(row(page, `Task ${number}`)).toBeVisible()
    }
    await tick(row(page, 'Kept')).focus()
    for (let number = 21; number > 1; number--) {
      await page.keyboard.press('Control+z')
      await expect(row(page, `Task ${number}`)).toHaveCount(0)
    }
    await page.keyboard.press('Control+z')
    await expect(toasts(page)).toContainText('Nothing to undo')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Task 1', 'Kept'])
  })

  await test.step('nothing is undone across a sign-out, in the same page and by the same person', async () => {
    await openAgain(page, [])
    for (const title of ['Two', 'One']) {
      await field(page).fill(title)
      await page.keyboard.press('Enter')
      await expect(row(page, title)).toBeVisible()
    }
    await deleteTask(row(page, 'Two'))
    await expect.poll(() => keptTasks(page)).toHaveLength(1)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await tick(row(page, 'One')).focus()
    await page.keyboard.press('Control+z')
    await expect(toasts(page).filter({ hasText: 'Nothing to undo' })).toBeVisible()
    await expect(row(page, 'Two')).toHaveCount(0)
  })
})

test.describe('without a connection', () => {
  test.use({ mayLog: /Failed to load resource|ERR_INTERNET_DISCONNECTED|Failed to fetch/ })

  test('changes are undone and done again, and the server gets what stands in the end', async ({
    page,
    context,
  }) => {
    await openList(page, { open })
    await undoIsThere(page)
    await context.setOffline(true)
    await deleteTask(row(page, 'One'))
    await tick(row(page, 'Two')).click()
    await tick(row(page, 'Three')).focus()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(open)
    await page.keyboard.press('Control+Shift+z')
    await expect(row(page, 'One')).toHaveCount(0)
    await context.setOffline(false)
    await expect
      .poll(() => keptTasks(page))
      .toEqual([
        { title: 'Two', completed: 0 },
        { title: 'Three', completed: 0 },
      ])
  })

  test.describe('and with another device', () => {
    test.use({
      mayLog:
        /Failed to load resource|ERR_INTERNET_DISCONNECTED|Failed to fetch|a later change stands|NOT_FOUND/,
    })

    test('what another device did after a change stands, and the person is told that it was not undone', async ({
      page,
      context,
    }) => {
      await openList(page, { open })
      await undoIsThere(page)
      await rename(page, 'One', 'First')
      await tick(row(page, 'Two')).click()
      await settled(page)
      const idOf = async (title: string) => (await stored(page)).find((todo) => todo.title === title)?.id

      await context.setOffline(true)
      // Another device of the person has a connection.
      expect((await page.request.delete(`/api/todos/${await idOf('First')}`)).status()).toBe(200)
      const again = { completed: 1, at: new Date().toISOString() }
      expect((await page.request.put(`/api/todos/${await idOf('Two')}`, { data: again })).status()).toBe(200)
      await tick(row(page, 'Three')).focus()
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      await expect(row(page, 'One')).toBeVisible()
      await context.setOffline(false)

      await expect(toasts(page).filter({ hasText: 'Not undone: deleted on another device' })).toBeVisible()
      await expect(toasts(page).filter({ hasText: 'Not undone: changed since' })).toBeVisible()
      await expect
        .poll(() => keptTasks(page))
        .toEqual([
          { title: 'Two', completed: 1 },
          { title: 'Three', completed: 0 },
        ])
    })
  })
})
