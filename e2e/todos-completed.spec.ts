import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, holdToasts, inEveryLook, resize } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { importCompleted } from './testing/screens/completed.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { details, make, openDetails } from './testing/screens/task-details.ts'
import { keptTasks, openTasks, remove, row, tick, titlesIn, toasts } from './testing/screens/todo-list.ts'

// The page of completed tasks, which a device does not keep.

const years = Array.from({ length: 130 }, (_, place) => ({ title: `Done ${place}`, daysAgo: place * 20 }))

/** By way of the list: what belongs to what is known from there. */
async function showAll(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Show all/ }).click()
}

async function backToTheList(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Todos', exact: true }).first().click()
}

test('what was done years ago', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await importCompleted(page, [
    ...years,
    { title: 'Also done today', daysAgo: 0 },
    { title: 'Zahnarzt in ÉVREUX, 100 %', daysAgo: 3_000 },
  ])
  await page.goto('/todos/completed')

  await test.step('what was done is by day, the latest first, and older days follow as one scrolls', async () => {
    await expect(page.getByText('132 tasks')).toBeVisible()
    const today = page.getByRole('list', { name: /^Today/ })
    await expect.poll(() => titlesIn(today)).toEqual(['Done 0', 'Also done today'])
    await expect(row(page, 'Done 129')).toHaveCount(0)
    await expect(async () => {
      await page.mouse.wheel(0, 20_000)
      await expect(row(page, 'Done 129')).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(page.getByRole('checkbox')).toHaveCount(132)
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
  })

  await test.step('a search finds a task of years ago in any case, and the address keeps it', async () => {
    const search = page.getByRole('searchbox', { name: 'Search completed tasks' })
    await search.fill('  évreux, 100 % ')
    await expect(page.getByText('1 task', { exact: true })).toBeVisible()
    await expect(row(page, 'Zahnarzt in ÉVREUX, 100 %')).toBeVisible()
    await expect(page).toHaveURL(/search=/)
    await page.reload()
    await expect(search).toHaveValue('évreux, 100 %')
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await search.fill('nothing like it')
    await expect(page.getByText('No completed task contains these words.')).toBeVisible()
    await search.clear()
    await expect(page.getByText('132 tasks')).toBeVisible()
  })
})

test('what is changed among completed tasks', async ({ page }) => {
  await signUpBehindTheScreens(page)
  const { list } = await call(page, 'post', '/api/lists', { name: 'Garden' })
  await importCompleted(page, [
    { title: 'Done today', daysAgo: 0 },
    { title: 'Old task', daysAgo: 400 },
    { title: 'Older task', daysAgo: 500 },
    { title: 'Cut the hedge', daysAgo: 550, list_id: list.id },
  ])
  await page.goto('/todos/completed')

  await test.step('a deleted one is gone, and Undo brings it back', async () => {
    await row(page, 'Old task').hover()
    await remove(row(page, 'Old task')).click()
    await expect(row(page, 'Old task')).toHaveCount(0)
    await expect(page.getByText('3 tasks', { exact: true })).toBeVisible()
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Old task')).toBeVisible()
    await expect(page.getByText('4 tasks', { exact: true })).toBeVisible()
    await closeToasts(page)
  })

  await test.step('a task of last year that is unticked is open at once, and Undo puts it back in its place', async () => {
    const main = page.getByRole('main')
    const shown = async () =>
      (await main.locator('h2, li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    await expect(row(page, 'Older task')).toBeVisible()
    const before = await shown()
    await tick(row(page, 'Old task')).click()
    await expect(row(page, 'Old task')).toHaveCount(0)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(shown).toEqual(before)
    await expect(page.getByText('4 tasks', { exact: true })).toBeVisible()
    await page.reload()
    await expect.poll(shown).toEqual(before)

    await tick(row(page, 'Old task')).click()
    await page.getByRole('link', { name: 'Todos', exact: true }).first().click()
    await expect(openTasks(page).getByRole('checkbox', { name: 'Old task' })).toBeVisible()
  })

  await test.step('of one list it shows those alone, and leads back to it', async () => {
    await page.goto(`/todos/completed?list=${list.id}`)
    await expect(page.getByText('1 task in Garden')).toBeVisible()
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await page.getByRole('main').getByRole('link', { name: 'Garden' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
  })
})

test('completed tasks and their subtasks', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await importCompleted(page, [{ title: 'Done last week', daysAgo: 7 }])
  const [trip, tour] = await Promise.all([
    make(page, { title: 'Trip', completed: 1 }),
    make(page, { title: 'Tour', completed: 1 }),
  ])
  await make(page, { title: 'Pack', parent_id: trip.id, completed: 1 })
  await make(page, { title: 'Book', parent_id: tour.id })
  await page.goto('/todos')
  await settled(page)

  await test.step('one with subtasks takes them along, and Undo brings them back', async () => {
    await showAll(page)
    // The row is on both pages, and what this one reads must not be held.
    await expect(row(page, 'Done last week')).toBeVisible()
    await expect(row(page, 'Pack')).toBeVisible()
    await row(page, 'Trip').hover()
    const changes = await holdRequest(page, /\/api\/(todos|changes)/)
    await remove(row(page, 'Trip')).click()
    await expect(toasts(page)).toContainText('Task and 1 subtask deleted')
    await expect(page.getByRole('checkbox')).toHaveCount(2)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Trip')).toBeVisible()
    await expect(row(page, 'Pack')).toBeVisible()
    changes()
    await settled(page)
    await closeToasts(page)
    await backToTheList(page)
  })

  await test.step('Undo of an unticked one leaves its open subtasks open, here at once and on the server', async () => {
    await openDetails(page, 'Tour')
    const box = details(page).getByRole('checkbox', { name: 'Book' })
    await expect(box).not.toBeChecked()
    await page.keyboard.press('Escape')
    await showAll(page)
    await expect(row(page, 'Tour')).toBeVisible()
    await fetchedLater(page, 'toaster-')
    const changes = await holdRequest(page, /\/api\/(todos|changes)/, { method: 'PUT' })
    await tick(row(page, 'Tour')).click()
    await expect(row(page, 'Tour')).toHaveCount(0)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Tour')).toBeVisible()
    await backToTheList(page)
    await openDetails(page, 'Tour')
    await expect(box).not.toBeChecked()
    changes()
    await expect
      .poll(() => keptTasks(page))
      .toEqual(
        expect.arrayContaining([
          { title: 'Tour', completed: 1 },
          { title: 'Book', completed: 0 },
        ]),
      )
  })
})

test.describe('without a connection', () => {
  test.use({ mayLog: /Failed to load resource|Could not read/ })

  test('those of the last 30 days are shown, and that the rest is missing', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await importCompleted(page, [
      { title: 'Done last week', daysAgo: 7 },
      { title: 'Done last year', daysAgo: 370 },
    ])
    await page.goto('/todos')
    await expect(page.getByText('Completed', { exact: false }).first()).toBeVisible()
    await page.route('**/api/todos/completed**', (route) => route.abort())
    await showAll(page)
    await expect(page.getByText("The rest of your completed tasks couldn't be loaded.")).toBeVisible()
    await expect(row(page, 'Done last week')).toBeVisible()
    await expect(row(page, 'Done last year')).toHaveCount(0)
    await page.unroute('**/api/todos/completed**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Done last year')).toBeVisible()
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)

    test('how it looks', async ({ page }) => {
      await signUpBehindTheScreens(page)
      await importCompleted(page, years.slice(0, 3))
      await page.goto('/todos/completed')
      await expect(row(page, 'Done 2')).toBeVisible()

      await test.step('every state fits and passes WCAG 2.2 AA', async () => {
        const judge = () =>
          inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
            await expectNothingSticksOut(page)
            await expectNoAxeViolations()
          })
        await judge()
        await tick(row(page, 'Done 1')).click()
        await holdToasts(page)
        await inEveryLook(page, widths, ({ expectNoAxeViolations }) => expectNoAxeViolations())
        await closeToasts(page)
        await page.getByRole('searchbox', { name: 'Search completed tasks' }).fill('nothing')
        await expect(page.getByText('No completed task contains these words.')).toBeVisible()
        await expect(page).toHaveURL(/search=nothing$/)
        await judge()
      })

      if (hand === 'a pointer') {
        await test.step('it fits 320 px with text at twice the size', async () => {
          await page.getByRole('searchbox', { name: 'Search completed tasks' }).clear()
          await expect(row(page, 'Done 2')).toBeVisible()
          await page.addStyleTag({ content: 'html { font-size: 200% }' })
          await resize(page, 320)
          await expectNothingSticksOut(page)
        })
      }
    })
  })
}
