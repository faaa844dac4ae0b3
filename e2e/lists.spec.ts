import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater, keptByTheBrowser, rowsOnDevice } from './testing/connection/on-device.ts'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, holdToasts, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { listening, otherDevice, shownLive } from './testing/person/two-devices.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  choose,
  colorOf,
  entries,
  entry,
  group,
  keptLists,
  link,
  nameField,
  newList,
  openMenu,
  openWithLists,
  taskField,
} from './testing/screens/list-groups.ts'
import { kept, keptTodos, make } from './testing/screens/task-details.ts'
import { more, row, sortBy, tick, toasts } from './testing/screens/todo-list.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** The page of a list, without a load. */
async function goTo(page: Page, list: string) {
  await link(page, list).click()
  await expect(heading(page)).toHaveText(list)
}

async function goToTodos(page: Page) {
  await page.getByRole('link', { name: 'Todos', exact: true }).click()
  await expect(heading(page)).toHaveText('Todo List')
}

const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })

/** As somebody who is quick: the toast that had the focus has just gone, and has not yet given it back. */
async function pressThenFocusWhenToastLeft(button: Locator, element: Locator): Promise<void> {
  const target = await element.elementHandle()
  await button.focus()
  await button.evaluate(
    (pressed, next) =>
      new Promise<void>((resolve) => {
        const toast = pressed.closest('[data-sonner-toast]')
        const observer = new MutationObserver(() => {
          if (toast?.isConnected) return
          observer.disconnect()
          if (next instanceof HTMLElement) next.focus()
          setTimeout(resolve, 200)
        })
        observer.observe(document.body, { childList: true, subtree: true })
        if (pressed instanceof HTMLElement) pressed.click()
      }),
    target,
  )
}

const three = [
  { name: 'Home', color: 1, tasks: ['Renew the passport', 'Rent'] },
  { name: 'Work', color: 2, tasks: ['Send October invoice'] },
  { name: 'Garden', color: 3 },
]
const long =
  'Everything that has to be done before the journey to the north of Norway, and what comes after it'

test('a new list, and one that is not there', async ({ page }) => {
  await test.step('needs somebody who is signed in', async () => {
    await page.goto('/lists/01900000-0000-7000-8000-000000000009')
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  await test.step('of a list that is not there says so, and leads on', async () => {
    await signUpBehindTheScreens(page)
    await page.goto('/lists/01900000-0000-7000-8000-000000000009')
    await expect(page.getByText('This list is gone.')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Go to Todos' }).click()
    await expect(page).toHaveURL('/todos')
    await settled(page)
  })

  await test.step('is not added without a name, which is said only when somebody tries', async () => {
    await newList(page).click()
    await expect(group(page).getByRole('alert')).toHaveCount(0)
    await nameField(page).press('Enter')
    await expect(group(page).getByRole('alert')).toHaveText('Name must not be empty')
    await expect(nameField(page)).toHaveAttribute('aria-invalid', 'true')
    await nameField(page).fill('x'.repeat(101))
    await expect(group(page).getByRole('alert')).toHaveText('Name must not exceed 100 characters')
    await nameField(page).press('Enter')
    await expect(nameField(page)).toBeFocused()
    await nameField(page).press('Escape')
    await expect(newList(page)).toBeFocused()
    expect(await keptLists(page)).toEqual([])
  })

  await test.step('is named in place, gets the colour that was chosen, and is open at once', async () => {
    await newList(page).click()
    await expect(nameField(page)).toBeFocused()
    await nameField(page).fill('Home')
    await group(page).getByRole('radio', { name: 'Teal' }).check()
    await nameField(page).press('Enter')
    await expect(heading(page)).toHaveText('Home')
    await expect(heading(page)).toBeFocused()
    await expect(page).toHaveURL(/\/lists\/[\w-]{36}$/)
    await expect(page).toHaveTitle('Home · Daymark')
    await expect(link(page, 'Home')).toHaveAttribute('aria-current', 'page')
    await expect(newList(page)).toBeVisible()
    await expect.poll(() => keptLists(page)).toMatchObject([{ name: 'Home', color: 3 }])
  })
})

test('the page of a list, its names and its colours', async ({ page, browser }) => {
  const [home] = await openWithLists(page, three, ([home]) => `/lists/${home}`)
  await settled(page)

  await test.step('renamed in the sidebar; Escape keeps its name, and an empty one is refused', async () => {
    await choose(page, 'Home', 'Rename')
    await expect(nameField(page)).toBeFocused()
    await expect(nameField(page)).toHaveValue('Home')
    await nameField(page).fill('House')
    await nameField(page).press('Escape')
    await expect(link(page, 'Home')).toBeFocused()
    await choose(page, 'Home', 'Rename')
    await nameField(page).fill(' ')
    await nameField(page).press('Enter')
    await expect(group(page).getByRole('alert')).toHaveText('Name must not be empty')
    await nameField(page).fill('House')
    await nameField(page).press('Enter')
    await expect(link(page, 'House')).toBeFocused()
    await expect(toasts(page)).toContainText('List renamed')
    await holdToasts(page)
    await expect(heading(page)).toHaveText('House')
    await expect(page).toHaveTitle('House · Daymark')
    await expect.poll(async () => (await keptLists(page))[0]?.name).toBe('House')
    await undo(page).click()
    await expect(link(page, 'Home')).toBeVisible()
    await expect.poll(async () => (await keptLists(page))[0]?.name).toBe('Home')
  })

  await test.step('given another colour, by keys as well', async () => {
    await closeToasts(page)
    const circle = link(page, 'Home').locator('span span').first()
    const before = await colorOf(circle)
    await openMenu(page, 'Home')
    await expect(page.getByRole('menuitemradio', { name: 'Blue' })).toBeChecked()
    await page.getByRole('menuitemradio', { name: 'Violet' }).click()
    await expect(toasts(page)).toContainText('Colour changed')
    await holdToasts(page)
    await expect.poll(() => colorOf(circle)).not.toBe(before)
    await expect.poll(async () => (await keptLists(page))[0]?.color).toBe(4)
    await pressThenFocusWhenToastLeft(undo(page), link(page, 'Home'))
    await expect.poll(() => colorOf(circle)).toBe(before)
    await expect(link(page, 'Home'), 'the toast takes the focus from nobody who has gone on').toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    // A pointer that rests there may have taken the focus from the first item.
    await page.keyboard.press('Home')
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
    for (const [place, key] of ['ArrowDown', 'ArrowRight', 'ArrowRight'].entries()) {
      await page.keyboard.press(key)
      await expect(page.getByRole('menuitemradio').nth(place)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await keptLists(page))[0]?.color).toBe(3)
  })

  await test.step('shows its tasks only, and adds new ones to it', async () => {
    await expect(heading(page)).toHaveText('Home')
    await expect(page).toHaveTitle('Home · Daymark')
    await expect(page.getByRole('main').getByText('2 open', { exact: true })).toBeVisible()
    await expect(row(page, 'Rent')).toBeVisible()
    await expect(row(page, 'Send October invoice')).toHaveCount(0)
    await taskField(page, 'Home').fill('Book the chimney sweep')
    await taskField(page, 'Home').press('Enter')
    await expect(row(page, 'Book the chimney sweep')).toBeVisible()
    await expect.poll(() => entries(page)).toEqual(['Home 3', 'Work 1', 'Garden'])
    await tick(row(page, 'Rent')).click()
    await expect(page.getByRole('main').getByText('2 open, 1 done today')).toBeVisible()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await link(page, 'Work').click()
    await expect(heading(page)).toHaveText('Work')
    await expect(heading(page)).toBeFocused()
    await expect(page).toHaveTitle('Work · Daymark')
    await page.getByRole('link', { name: 'Todos', exact: true }).click()
    await expect(page).toHaveTitle('Todos · Daymark')
    for (const title of ['Book the chimney sweep', 'Send October invoice']) {
      await expect(row(page, title)).toBeVisible()
    }
  })

  await test.step('renamed on its own page', async () => {
    await goTo(page, 'Home')
    await page.getByRole('main').getByRole('button', { name: 'Options for Home' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    await expect(field).toBeFocused()
    await field.fill('')
    await field.press('Enter')
    await expect(page.getByRole('dialog')).toContainText('Name must not be empty')
    await field.fill('House')
    await field.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(heading(page)).toHaveText('House')
    await expect(page.getByRole('main').getByRole('button', { name: 'Options for House' })).toBeFocused()
  })

  await test.step('stands last, and may have a name that is there already', async () => {
    await newList(page).click()
    await nameField(page).fill('House')
    await group(page).getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => entries(page)).toEqual(['House 2', 'Work 1', 'Garden', 'House'])
  })

  await test.step('is somebody else’s to nobody', async () => {
    const others = await browser.newContext({ baseURL: new URL(page.url()).origin })
    const other = await others.newPage()
    await signUpBehindTheScreens(other)
    await other.goto(`/lists/${home}`)
    await expect(other.getByText('This list is gone.')).toBeVisible()
    await others.close()
  })
})

test('lists in another order', async ({ page }) => {
  await openWithLists(page, three)
  await settled(page)

  await test.step('moved by its menu', async () => {
    await choose(page, 'Home', 'Move down')
    await expect.poll(() => entries(page)).toEqual(['Work 1', 'Home 2', 'Garden'])
    await expect(toasts(page)).toContainText('List moved')
    await undo(page).click()
    await expect(undo(page)).toHaveCount(0)
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    // The toast leaves with the focus, which its list gets only if nobody has gone on, as to this menu.
    await choose(page, 'Home', 'Move down')
    await expect.poll(() => entries(page)).toEqual(['Work 1', 'Home 2', 'Garden'])
    await openMenu(page, 'Work')
    await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await choose(page, 'Home', 'Move up')
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
  })

  await test.step('dragged to another place', async () => {
    await fetchedLater(page, 'list-drag-')
    await settled(page)
    await link(page, 'Garden').dragTo(link(page, 'Home'), { targetPosition: { x: 60, y: 4 } })
    await expect.poll(() => entries(page)).toEqual(['Garden', 'Home 2', 'Work 1'])
    await link(page, 'Garden').dragTo(link(page, 'Home'), { targetPosition: { x: 60, y: 32 } })
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Garden', 'Work 1'])
    await expect(page.locator('[data-gap], [data-dragged]')).toHaveCount(0)
    await expect
      .poll(async () => (await keptLists(page)).map(({ name }) => name))
      .toEqual(['Home', 'Garden', 'Work'])
    await choose(page, 'Garden', 'Move down')
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
  })

  await test.step('moved by keys, which is said, and keeps the focus', async () => {
    await link(page, 'Garden').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Garden', 'Work 1'])
    await expect(page.getByText('Garden, 2 of 3')).toBeAttached()
    await expect(link(page, 'Garden')).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => entries(page)).toEqual(['Garden', 'Home 2', 'Work 1'])
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Garden', 'Work 1'])
    await expect(link(page, 'Garden')).toBeFocused()
    await expect
      .poll(async () => (await keptLists(page)).map(({ name }) => name))
      .toEqual(['Home', 'Garden', 'Work'])
    await page.reload()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Garden', 'Work 1'])
  })
})

test('archived and deleted lists', async ({ page }) => {
  const [home] = await openWithLists(page, [
    ...three,
    { name: 'Last year', tasks: ['Renew the visa'], archived_at: '2026-11-20T10:00:00.000Z' },
  ])
  await settled(page)

  await test.step('is folded away with its tasks, and Undo brings it back', async () => {
    await choose(page, 'Home', 'Archive')
    await expect(toasts(page)).toContainText('List archived')
    await expect(link(page, 'Work'), 'the next one').toBeFocused()
    await expect(row(page, 'Rent')).toHaveCount(0)
    await expect(row(page, 'Send October invoice')).toBeVisible()
    await expect(link(page, 'Home')).toHaveCount(0)
    await undo(page).click()
    await expect(row(page, 'Rent')).toBeVisible()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await expect.poll(async () => (await keptLists(page))[0]?.archived_at).toBe(null)
  })

  await test.step('leaves its tasks in none, and Undo gives them back', async () => {
    await closeToasts(page)
    await choose(page, 'Home', 'Delete')
    await expect(toasts(page)).toContainText('List deleted')
    await expect(link(page, 'Work'), 'the next one').toBeFocused()
    await expect(row(page, 'Rent')).toBeVisible()
    await expect
      .poll(async () => (await keptLists(page)).map(({ name }) => name))
      .toEqual(['Work', 'Garden', 'Last year'])
    await undo(page).click()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await link(page, 'Home').click()
    await expect(page).toHaveURL(`/lists/${home}`)
    await expect(row(page, 'Rent')).toBeVisible()
  })

  await test.step('is gone from its own page, until Undo', async () => {
    await closeToasts(page)
    await page.getByRole('main').getByRole('button', { name: 'Options for Home' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByText('This list is gone.')).toBeVisible()
    await expect(heading(page)).toBeFocused()
    await undo(page).click()
    await expect(row(page, 'Rent')).toBeVisible()
  })

  await test.step('has a page that says so, and can be taken out there', async () => {
    await group(page).getByRole('button', { name: 'Archived 1' }).click()
    await link(page, 'Last year').click()
    await expect(row(page, 'Renew the visa')).toBeVisible()
    const note = page.getByRole('region', { name: 'Archived list' })
    await note.getByRole('button', { name: 'Take out of the archive' }).click()
    await expect(note).toHaveCount(0)
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden', 'Last year 1'])
  })
})

test('of a list that has not arrived yet waits for it', async ({ page }) => {
  await openWithLists(page, three)
  const headers = { origin: new URL(page.url()).origin }
  await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('Garden')
  await page.goto('about:blank')
  const made = await page.request.post('/api/lists', { data: { name: 'Cellar', color: 2 }, headers })
  const { list } = await made.json()
  const arrives = Promise.withResolvers<void>()
  await page.route(readsOf('lists'), async (route) => {
    await arrives.promise
    await route.continue()
  })
  await page.goto(`/lists/${list.id}`)
  await expect(link(page, 'Garden')).toBeVisible()
  await expect(page.getByRole('main').getByRole('status')).toBeVisible()
  await expect(page.getByText('This list is gone.')).toHaveCount(0)
  arrives.resolve()
  await expect(heading(page)).toHaveText('Cellar')
})

const dragTo = async (page: Page, task: string, target: Locator) => {
  await row(page, task).hover()
  const grip = (await page.locator('main [draggable=true]').boundingBox()) ?? { x: 0, y: 0 }
  const { x, y } = (await target.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(grip.x + 8, grip.y + 12)
  await page.mouse.down()
  await page.mouse.move(grip.x + 8, grip.y + 20, { steps: 4 })
  await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
  // Until it takes what is dropped, nothing is over it; and this pointer says only once that it is there.
  await expect(target).toHaveAttribute('data-drop-target-for-element')
  await page.mouse.move(x + 60, y + 18, { steps: 10 })
  await expect(target).toHaveAttribute('data-over')
  await page.mouse.up()
}

test('a task can be dragged by its grip', async ({ page }) => {
  await openWithLists(page, three, ([home]) => `/lists/${home}`)
  const [parent] = (await keptTodos(page)).filter(({ title }) => title === 'Rent')
  await make(page, { title: 'Find the form', parent_id: parent?.id, tags: ['office'] })
  await make(page, { title: 'Water the palm', tags: ['office'] })
  await settled(page)

  await test.step('into a list, and with Undo back', async () => {
    await dragTo(page, 'Rent', link(page, 'Garden'))
    await expect(toasts(page)).toContainText('Moved to Garden')
    await expect.poll(() => entries(page)).toEqual(['Home 1', 'Work 1', 'Garden 1'])
    await expect(row(page, 'Rent')).toHaveCount(0)
    await undo(page).click()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await expect(row(page, 'Rent')).toBeVisible()
  })

  await test.step("out of its list, on 'Todos'", async () => {
    await closeToasts(page)
    await dragTo(page, 'Rent', page.getByRole('link', { name: 'Todos', exact: true }))
    await expect(toasts(page)).toContainText('Taken out of Home')
    await expect(row(page, 'Rent')).toHaveCount(0)
    await expect.poll(() => entries(page)).toEqual(['Home 1', 'Work 1', 'Garden'])
    await expect(page.locator('[data-over]')).toHaveCount(0)
    await undo(page).click()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await goToTodos(page)
  })

  await test.step('but not under another sort, where its menu moves it into a list', async () => {
    await closeToasts(page)
    await expect(page.getByRole('button', { name: /^Sort by/ })).toHaveText('Sort by: Newest')
    await row(page, 'Rent').hover()
    await expect(page.locator('main [draggable=true]')).toHaveCount(0)
    await more(row(page, 'Rent')).click()
    await page.getByRole('menuitem', { name: 'Move to …' }).click()
    await page.getByRole('menuitemradio', { name: 'Garden' }).click()
    await expect.poll(() => entries(page)).toEqual(['Home 1', 'Work 1', 'Garden 1'])
    await undo(page).click()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Garden'])
    await sortBy(page, 'Manual')
  })

  await test.step('but a subtask on the page of its tag stays in the list of its task', async () => {
    await page.goto('/tags/office')
    await row(page, 'Find the form').waitFor()
    await settled(page)
    await closeToasts(page)
    for (const task of ['Find the form', 'Water the palm']) {
      await dragTo(page, task, link(page, 'Garden'))
      await expect(page.locator('main li[data-dragged]')).toHaveCount(0)
    }
    await expect.poll(async () => (await kept(page, 'Water the palm'))?.list_id).not.toBeNull()
    await expect(toasts(page)).toHaveText(/Moved to Garden.*Water the palm/)
    expect(await kept(page, 'Find the form')).toMatchObject({ list_id: null })
  })
})

test('what is done to lists on one device is on the other at once', async ({ page }) => {
  await listening(page, async () => void (await openWithLists(page, three)))
  const [home] = await keptLists(page)
  const other = await otherDevice(page, `/lists/${home?.id}`)
  await expect(heading(other)).toHaveText('Home')
  await choose(page, 'Home', 'Rename')
  await nameField(page).fill('House')
  await shownLive(() => nameField(page).press('Enter'), [[other, 'h1', 'House']])
  await openMenu(page, 'House')
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await shownLive(() => remove.click(), [[other, 'main', 'This list is gone.']])
  await shownLive(() => undo(page).click(), [[other, 'h1', 'House']])
  await other.context().close()
})

test.describe('without a connection', () => {
  test.use({
    serviceWorkers: 'allow',
    mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
  })

  test('lists are there, can be added and changed, and all of it arrives', async ({ page, context }) => {
    const [home] = await openWithLists(page, three)
    await keptByTheBrowser(page)
    await fetchedLater(page, 'list-menu-')
    await context.setOffline(true)
    await page.goto(`/lists/${home}`)
    await expect(row(page, 'Rent')).toBeVisible()
    await newList(page).click()
    await nameField(page).fill('Journey')
    await nameField(page).press('Enter')
    await expect(heading(page)).toHaveText('Journey')
    await taskField(page, 'Journey').fill('Tickets')
    await taskField(page, 'Journey').press('Enter')
    await choose(page, 'Garden', 'Delete')
    await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('lists.delete')
    await page.reload()
    await expect.poll(() => entries(page)).toEqual(['Home 2', 'Work 1', 'Journey 1'])
    await expect(row(page, 'Tickets')).toBeVisible()
    await context.setOffline(false)
    await expect
      .poll(async () => (await keptLists(page)).map(({ name }) => name))
      .toEqual(['Home', 'Work', 'Journey'])
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('lists in every look', async ({ page }) => {
      await openWithLists(
        page,
        [
          { ...three[0], name: long, color: 5 },
          ...three,
          { name: long, color: 6 },
          { name: 'Last year', archived_at: '2026-11-20T10:00:00.000Z' },
        ],
        ([first]) => `/lists/${first}`,
      )
      const judge = () =>
        inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          await expectNoAxeViolations()
        })
      const openSidebar = async () => {
        if (hand === 'touch') await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      }

      await test.step('a list fits and passes the accessibility check: its page, its menu, a toast, none there', async () => {
        await judge()
        await resize(page, widths[0])
        const options = page.getByRole('main').getByRole('button', { name: `Options for ${long}` })
        await options.click()
        await expect(page.getByRole('menuitem', { name: 'Archive' })).toBeVisible()
        await judge()
        await page.getByRole('menuitem', { name: 'Archive' }).click()
        await expect(toasts(page)).toBeVisible()
        await holdToasts(page)
        await judge()
        await page
          .getByRole('region', { name: 'Archived list' })
          .getByRole('button', { name: 'Delete' })
          .click()
        await expect(page.getByText('This list is gone.')).toBeVisible()
        await judge()
        await closeToasts(page)
      })

      await test.step('so do the lists in the sidebar, a new one, and the archived', async () => {
        await openSidebar()
        await group(page).getByRole('button', { name: 'Archived 1' }).click()
        await expect(link(page, 'Last year')).toBeVisible()
        await newList(page).click()
        await nameField(page).press('Enter')
        await expect(group(page).getByRole('alert')).toBeVisible()
        await judge()
        await nameField(page).press('Escape')
        await expect(nameField(page)).toHaveCount(0)
        if (hand === 'touch') await page.keyboard.press('Escape')
      })

      if (hand === 'a pointer') {
        await test.step('a long name is cut off in the sidebar, where its whole text can be read, and wraps on its page', async () => {
          await resize(page, 1280)
          const name = link(page, long)
          await expect(name).toHaveAttribute('title', long)
          expect((await name.boundingBox())?.height).toBe(36)
          await goTo(page, long)
          expect(await heading(page).evaluate((it) => it.scrollWidth <= it.clientWidth + 1)).toBe(true)
        })
      }

      const width = hand === 'touch' ? 320 : 1280
      // With text at 200 %.
      await test.step('nothing of a list is cut off but a long name in the sidebar', async () => {
        await resize(page, width)
        await openSidebar()
        await goTo(page, 'Home')
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNothingSticksOut(page)
        await expect(page.getByRole('main').getByRole('button', { name: 'Options for Home' })).toBeInViewport(
          { ratio: 1 },
        )
        await openSidebar()
        await newList(page).click()
        await nameField(page).press('Enter')
        await group(page).getByRole('button', { name: 'Add' }).scrollIntoViewIfNeeded()
        await expect(group(page).getByRole('button', { name: 'Add' })).toBeInViewport({ ratio: 1 })
        await expectNothingSticksOut(page)
      })
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('lists in the sheet', async ({ page }) => {
    await openWithLists(page, three)
    await settled(page)
    const sheet = page.getByRole('dialog', { name: 'Sidebar' })

    await test.step('every target in the sheet is at least 44 px high, and a list shows its menu without a pointer', async () => {
      await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      const options = entry(page, 'Home').getByRole('button', { name: 'Options for Home' })
      await expect(options.locator('svg')).toBeVisible()
      for (const target of [link(page, 'Home'), options, newList(page)]) {
        expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      }
      await page.keyboard.press('Escape')
      await expect(sheet).toHaveCount(0)
    })

    await test.step('the lists are in the sheet, which closes when one is opened or added', async () => {
      await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      await link(page, 'Home').tap()
      await expect(heading(page)).toHaveText('Home')
      await expect(sheet).toHaveCount(0)
      await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      await newList(page).tap()
      await nameField(page).press('Escape')
      await expect(sheet, 'the field closes first').toBeVisible()
      await newList(page).tap()
      await nameField(page).fill('Journey')
      await nameField(page).press('Enter')
      await expect(heading(page)).toHaveText('Journey')
      await expect(sheet).toHaveCount(0)
    })
  })
})
