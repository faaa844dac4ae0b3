import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { call, give } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { openList, openTasks, row, tick, titleField, titlesIn, toasts } from './testing/screens/todo-list.ts'

// The menu of a row by a right click, and by the menu key.

const menu = (page: Page) => page.getByRole('menu', { name: 'More actions' })
const item = (page: Page, name: string) => menu(page).getByRole('menuitem', { name })

/** What hears the right click is loaded after the screen. */
const canOpen = (page: Page) => fetchedLater(page, 'row-context-menu-')

test('a right click opens the menu of a row at the pointer', async ({ page }) => {
  await openList(page, { open: ['One', 'Two', 'Three'] })
  await canOpen(page)
  const rightClick = (title: string, x: number) =>
    row(page, title).click({ button: 'right', position: { x, y: 12 } })

  await test.step('with the actions of its buttons, too, and Escape returns to the row', async () => {
    await rightClick('Two', 300)
    const from = (await row(page, 'Two').boundingBox()) ?? { x: 0, y: 0 }
    await expect(item(page, 'Select')).toBeVisible()
    const { x, y } = (await menu(page).boundingBox()) ?? {}
    expect({ x, y }).toEqual({ x: from.x + 300, y: from.y + 12 })
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(tick(row(page, 'Two'))).toBeFocused()

    await rightClick('Two', 300)
    await item(page, 'Edit task').click()
    await expect(titleField(page)).toHaveValue('Two')
    await page.keyboard.press('Escape')
    await rightClick('Two', 200)
    await item(page, 'Due date and reminder').click()
    await expect(page.getByRole('dialog', { name: /^Due date/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await rightClick('Three', 200)
    await item(page, 'Delete task').click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Two'])
    await expect(tick(row(page, 'Two'))).toBeFocused()
    await expect(toasts(page)).toContainText('Task deleted')
  })

  await test.step('a second one moves it to the pointer, and to another row', async () => {
    await rightClick('One', 300)
    await expect(menu(page)).toBeVisible()
    await rightClick('One', 120)
    const at = (await row(page, 'One').boundingBox()) ?? { x: 0, y: 0 }
    await expect.poll(async () => (await menu(page).boundingBox())?.x).toBe(at.x + 120)
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
  })

  await test.step('the menu key opens it at the row, with its first item', async () => {
    await tick(row(page, 'Two')).focus()
    await page.keyboard.press('ContextMenu')
    await expect(item(page, 'Edit task')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(tick(row(page, 'Two'))).toBeFocused()
  })

  await test.step('a browser that makes a right click of the same press closes nothing', async () => {
    await page.keyboard.down('Shift')
    await page.keyboard.down('F10')
    await expect(item(page, 'Edit task')).toBeFocused()
    await tick(row(page, 'Two')).dispatchEvent('contextmenu', { button: 0 })
    await page.keyboard.up('F10')
    await page.keyboard.up('Shift')
    await expect(item(page, 'Edit task')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(tick(row(page, 'Two'))).toBeFocused()
    await page.keyboard.press('ContextMenu')
    await expect(item(page, 'Edit task')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
  })

  await test.step("the browser's own menu stays with Shift, and in a text field", async () => {
    const isOurs = () => page.evaluate<boolean>('contextMenuPrevented')
    await page.evaluate(() =>
      window.addEventListener('contextmenu', (event) =>
        Object.assign(window, { contextMenuPrevented: event.defaultPrevented }),
      ),
    )
    await row(page, 'Two').click({ button: 'right', position: { x: 300, y: 12 }, modifiers: ['Shift'] })
    expect(await isOurs()).toBe(false)
    await rightClick('One', 200)
    expect(await isOurs()).toBe(true)
    await item(page, 'Edit task').click()
    await titleField(page).click({ button: 'right' })
    expect(await isOurs()).toBe(false)
    await expect(menu(page)).toHaveCount(0)
  })
})

test('a title is edited from the menu and by E in a narrow window, too', async ({ page }) => {
  await page.setViewportSize({ width: 600, height: 700 })
  await openList(page, { open: ['One', 'Two'] })
  await canOpen(page)
  await row(page, 'Two').click({ button: 'right', position: { x: 200, y: 12 } })
  await item(page, 'Edit task').click()
  await expect(titleField(page)).toBeFocused()
  await expect(titleField(page)).toHaveValue('Two')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Two').getByRole('button', { name: 'More actions' })).toBeFocused()
  await tick(row(page, 'One')).focus()
  await page.keyboard.press('e')
  await expect(titleField(page)).toBeFocused()
  await page.keyboard.type(' more')
  await page.keyboard.press('Enter')
  await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One more', 'Two'])
})

test('on Today and Upcoming, too, and not on links', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await give(page, [{ title: 'Buy milk' }])
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const tagged = { title: 'Plan the trip', completed: 0, due_day: tomorrow, tags: ['away'] }
  await call(page, 'post', '/api/todos', tagged)
  for (const [path, title] of [
    ['/today', 'Buy milk'],
    ['/upcoming', 'Plan the trip'],
  ] as const) {
    await page.goto(path)
    await row(page, title).waitFor()
    await settled(page)
    await canOpen(page)
    await row(page, title).click({ button: 'right', position: { x: 200, y: 12 } })
    await expect(item(page, 'Delete task')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
  }
  await page.getByRole('link', { name: '#away' }).click({ button: 'right' })
  await expect(menu(page)).toHaveCount(0)
})
