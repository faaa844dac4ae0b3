import { expect, type Locator, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, holdToasts, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { importCompleted } from './testing/screens/completed.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  beginEdit,
  completedTasks,
  createTasks,
  deleteTask,
  edit,
  field,
  more,
  openList,
  openTasks,
  remove,
  replaceTasks,
  row,
  tick,
  titleField,
  toasts,
} from './testing/screens/todo-list.ts'

const open = [
  'Reply to Iris about the lease',
  'Send October invoice',
  'Draft the talk outline: what tide tables teach about planning',
]
const completed = ['Pay the electricity bill', 'Pick up the parcel']
const sentence = Array.from({ length: 100 }, (_, place) => ['tide', 'lemon', 'a', 'plans'][place % 4]).join(
  ' ',
)
const long = ['x'.repeat(500), sentence, 'short']

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('the list', async ({ page }) => {
      const judge = () =>
        inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          await expectNoAxeViolations()
        })
      await openList(page, { open, completed })

      await test.step('the list fits and passes the accessibility check: tasks, an edit, a toast', async () => {
        await beginEdit(row(page, 'Send October invoice'))
        await judge()
        await expect(titleField(page)).toBeFocused()
        await page.keyboard.press('Escape')
        await deleteTask(row(page, 'Reply to Iris about the lease'))
        await expect(toasts(page)).toBeVisible()
        await holdToasts(page)
        await judge()
        await expect(toasts(page)).toBeVisible()
        await closeToasts(page)
      })

      await test.step('an empty list says what to do', async () => {
        await replaceTasks(page, {})
        await expect(page.getByText('No tasks yet. Add your first one.')).toBeVisible()
        await judge()
      })

      await test.step('long titles wrap, and a title that is too long shows an error', async () => {
        await replaceTasks(page, { open: ['Book the ferry for Easter weekend', ...long], completed })
        await inEveryLook(page, widths, async () => {
          await expectNothingSticksOut(page)
          for (const title of long) {
            const text = page.getByText(title, { exact: true })
            expect(await text.evaluate((it) => it.scrollWidth <= it.clientWidth + 1)).toBe(true)
          }
        })
        await field(page).fill('x'.repeat(501))
        await judge()
        await field(page).clear()
      })

      const width = hand === 'touch' ? 320 : 1280
      // Text at 200 %.
      await test.step('nothing is cut off: titles, the field, the buttons', async () => {
        await resize(page, width)
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNothingSticksOut(page)
        const task = row(page, 'Book the ferry for Easter weekend')
        await beginEdit(task)
        await expect(titleField(page)).toBeInViewport({ ratio: 1 })
        await expect(remove(task)).toBeInViewport({ ratio: 1 })
        await page.keyboard.press('Escape')
        await expect(edit(task).or(more(task))).toBeInViewport({ ratio: 1 })
        await expect(field(page)).toBeInViewport({ ratio: 1 })
      })
    })
  })
}

async function expectBoxesBelowTheTitle(page: Page): Promise<void> {
  const middle = async (locator: Locator) => {
    const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: x + width / 2, y: y + height / 2 }
  }
  const left = (await page.getByRole('heading', { level: 1 }).boundingBox())?.x ?? 0
  for (const title of ['First', sentence]) {
    const box = await middle(tick(row(page, title)))
    expect(box.x, 'half of its 20 px beside the edge').toBe(left + 10)
    expect(box.y, 'on the line of its buttons').toBe(
      (await middle(row(page, title).getByRole('button').last())).y,
    )
  }
  expect((await middle(tick(row(page, 'First')))).y).toBe((await middle(page.getByText('First'))).y)
}

test('with a pointer', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await createTasks(page, { open: ['First', 'Second', sentence, 'Third', 'Fourth', 'Fifth'], completed })
  // More at once would be too large.
  const hundred = Array.from({ length: 100 }, (_, place) => ({ title: `Errand ${place}`, daysAgo: 3 }))
  for (let imports = 0; imports < 10; imports++) await importCompleted(page, hundred)
  await page.goto('/todos')
  await settled(page)

  await test.step('the checkbox is exactly below the page title, centred on the first line', () =>
    expectBoxesBelowTheTitle(page))

  await test.step('counts of a thousand and more have a separator', async () => {
    await expect(page.getByRole('heading', { name: 'Completed 1,002' })).toBeVisible()
  })

  await test.step('edit and delete appear on hover and on keyboard focus', async () => {
    const icon = edit(row(page, 'First')).locator('svg')
    await expect(icon).toBeHidden()
    await row(page, 'First').hover()
    await expect(icon).toBeVisible()
    await row(page, 'Second').hover()
    await expect(icon).toBeHidden()
    await field(page).focus()
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
    await expect(tick(row(page, 'First'))).toBeFocused()
    await expect(icon).toBeVisible()
  })

  await test.step('on a wide screen a completed task can be edited and deleted like an open one', async () => {
    const done = row(page, 'Pick up the parcel')
    await done.hover()
    await expect(edit(done)).toBeVisible()
    await expect(remove(done)).toBeVisible()
  })

  await test.step('a title keeps its place when it is edited', async () => {
    const text = await page.getByText('First', { exact: true }).boundingBox()
    const below = await row(page, 'Second').boundingBox()
    await edit(row(page, 'First')).click()
    const input = await titleField(page).boundingBox()
    // A border of 2 px and a padding of 4 px around the text.
    expect((input?.x ?? 0) + 6).toBe(text?.x)
    expect(await row(page, 'Second').boundingBox()).toEqual(below)
    await page.keyboard.press('Escape')
    await expect(titleField(page)).toHaveCount(0)
  })

  await page.evaluate(() => {
    const moves = { rows: 0, others: 0 }
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...how) {
      moves.rows++
      return animate.apply(this, how)
    }
    document.addEventListener('transitionrun', () => moves.others++, true)
    Object.assign(window, { moves })
  })
  for (const [title, reducedMotion, ticked, removed] of [
    ['a row that moves glides', 'no-preference', 'First', 'Second'],
    ['nothing moves for someone who asked for less motion', 'reduce', 'Third', 'Fourth'],
  ] as const) {
    await test.step(title, async () => {
      await closeToasts(page)
      await page.emulateMedia({ reducedMotion })
      await page.evaluate('Object.assign(moves, { rows: 0, others: 0 })')
      const before = await openTasks(page).getByRole('listitem').count()
      await tick(row(page, ticked)).click()
      await expect(completedTasks(page).getByText(ticked)).toBeVisible()
      await remove(row(page, removed)).click()
      await expect(openTasks(page).getByRole('listitem')).toHaveCount(before - 2)
      const moves = await page.evaluate<{ rows: number; others: number }>('moves')
      if (reducedMotion === 'reduce') expect(moves).toEqual({ rows: 0, others: 0 })
      else expect(moves.rows).toBeGreaterThan(0)
    })
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('on touch', async ({ page }) => {
    await openList(page, { open: ['First', sentence, ...open], completed })

    await test.step('the checkbox is exactly below the page title, centred on the first line', () =>
      expectBoxesBelowTheTitle(page))

    await test.step('one button leads to everything that can be done to an open task', async () => {
      const task = row(page, 'Send October invoice')
      await more(task).tap()
      await expect(page.getByRole('menuitem')).toHaveText([
        'Edit task',
        'Due date and reminder',
        'Repeat…',
        'Start the timer',
        'Select',
        'Delete task',
      ])
      await page.getByRole('menuitem', { name: 'Edit task' }).tap()
      await expect(titleField(page)).toBeFocused()
      await titleField(page).press('Escape')
      await expect(more(task), 'back where it began').toBeFocused()
      await more(task).tap()
      await page.getByRole('menuitem', { name: 'Delete task' }).tap()
      await expect(toasts(page)).toContainText('Task deleted')
      await expect(task).toHaveCount(0)
      await closeToasts(page)
    })

    await test.step('the menu of a task is always visible, and every target is at least 44 px', async () => {
      await expect(more(row(page, 'First')).locator('svg')).toBeVisible()
      await expect(page.locator('kbd')).toBeHidden()
      // A menu grows for a moment when it opens.
      const expectRoom = (target: Locator) =>
        expect
          .poll(async () => {
            const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
            return Math.min(width, height)
          })
          .toBeGreaterThanOrEqual(44)
      for (const target of [tick(row(page, 'First')), more(row(page, 'First'))]) await expectRoom(target)
      await more(row(page, 'First')).tap()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      for (const item of await page.getByRole('menuitem').all()) await expectRoom(item)
      await page.keyboard.press('Escape')
      await tick(row(page, 'First')).tap()
      await expect(completedTasks(page).getByText('First')).toBeVisible()
    })
  })
})
