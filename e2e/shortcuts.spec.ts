import { expect, type Page } from '@playwright/test'
import { card, chart, live, openAnalytics } from './analytics-account.ts'
import { button, countdown, openTimer } from './focus-timer.ts'
import {
  days,
  daysAgo,
  dialog as habitDialog,
  row as habitRow,
  name,
  openHabits,
  year,
} from './habit-list.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './looks.ts'
import { signUpBehindTheScreens, test } from './person.ts'
import { edit, field, keptTasks, openList, remove, row, titleField, toasts } from './todo-list.ts'

test.use({ timezoneId: 'UTC' })

const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const singleKeys = (page: Page) => shortcuts(page).getByRole('switch', { name: 'Single-key shortcuts' })
const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu$/ })
const pressed = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Every shortcut as the dialog lists it, and what shows that it works. */
const works: Record<string, (page: Page) => Promise<void>> = {
  async 'Everywhere, Show or hide the sidebar: Ctrl B'(page) {
    await openList(page)
    await pressed(page, 'Control+b')
    await expect(page.locator('aside')).toBeHidden()
    await pressed(page, 'Control+b')
    await expect(page.locator('aside')).toBeVisible()
  },
  async 'Everywhere, Go to notifications: Alt T'(page) {
    await openList(page, { open: ['Buy milk'] })
    await remove(row(page, 'Buy milk')).click()
    await expect(toasts(page)).toContainText('Task deleted')
    await pressed(page, 'Alt+t')
    await expect(page.locator('[data-sonner-toaster]')).toBeFocused()
  },
  async 'Everywhere, Show these shortcuts: ?'(page) {
    await openList(page)
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
  },
  async 'Tasks, New task: N'(page) {
    await openList(page)
    await pressed(page, 'n')
    await expect(field(page)).toBeFocused()
  },
  async 'Tasks, Save task: Enter'(page) {
    await openList(page)
    await field(page).fill('Buy milk')
    await pressed(page, 'Enter')
    await edit(row(page, 'Buy milk')).click()
    await titleField(page).fill('Buy oat milk')
    await pressed(page, 'Enter')
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Buy oat milk', completed: 0 }])
  },
  async 'Tasks, Cancel editing: Esc'(page) {
    await openList(page, { open: ['Buy milk'] })
    await edit(row(page, 'Buy milk')).click()
    await titleField(page).fill('Buy oat milk')
    await pressed(page, 'Escape')
    await expect(row(page, 'Buy milk')).toBeVisible()
  },
  async 'Habits, New habit: N'(page) {
    await openHabits(page)
    await pressed(page, 'n')
    await expect(habitDialog(page)).toContainText('Add New Habit')
  },
  async 'Focus Timer, Start or pause: Space'(page) {
    await openTimer(page)
    await pressed(page, 'Space')
    await expect(button(page, 'Pause')).toBeVisible()
    await pressed(page, 'Space')
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  },
  async "In a habit's last seven days, Previous or next day: ← →"(page) {
    await openHabits(page, [{ name: 'Read' }])
    const strip = days(habitRow(page, 'Read'))
    await strip.nth(6).focus()
    await pressed(page, 'ArrowLeft', 'ArrowLeft')
    await expect(strip.nth(4)).toBeFocused()
    await pressed(page, 'ArrowRight')
    await expect(strip.nth(5)).toBeFocused()
  },
  async "In a habit's last seven days, First or last day: Home End"(page) {
    await openHabits(page, [{ name: 'Read' }])
    const strip = days(habitRow(page, 'Read'))
    await strip.nth(6).focus()
    await pressed(page, 'Home')
    await expect(strip.nth(0)).toBeFocused()
    await pressed(page, 'End')
    await expect(strip.nth(6)).toBeFocused()
  },
  async 'In a chart, Previous or next bar: ← →'(page) {
    const bars = await openChart(page)
    await pressed(page, 'ArrowLeft', 'ArrowLeft')
    await expect(bars.nth(27)).toBeFocused()
    await pressed(page, 'ArrowRight')
    await expect(bars.nth(28)).toBeFocused()
  },
  async 'In a chart, First or last bar: Home End'(page) {
    const bars = await openChart(page)
    await pressed(page, 'Home')
    await expect(bars.nth(0)).toBeFocused()
    await pressed(page, 'End')
    await expect(bars.nth(29)).toBeFocused()
  },
  async 'In a year view, Previous or next day: ↑ ↓'(page) {
    const day = await openYear(page)
    await pressed(page, 'ArrowUp', 'ArrowUp')
    await expect(day(2)).toBeFocused()
    await pressed(page, 'ArrowDown')
    await expect(day(1)).toBeFocused()
  },
  async 'In a year view, Previous or next week: ← →'(page) {
    const day = await openYear(page)
    await pressed(page, 'ArrowLeft', 'ArrowLeft')
    await expect(day(14)).toBeFocused()
    await pressed(page, 'ArrowRight')
    await expect(day(7)).toBeFocused()
  },
  async 'In a year view, Previous or next month: Page Up Page Down'(page) {
    const day = await openYear(page)
    await pressed(page, 'PageUp', 'PageUp', 'PageUp')
    await expect(day(0)).not.toBeFocused()
    await pressed(page, 'PageDown', 'PageDown', 'PageDown', 'PageDown')
    await expect(day(0)).toBeFocused()
  },
  async 'In a year view, First or last week: Home End'(page) {
    const day = await openYear(page)
    await pressed(page, 'ArrowLeft', 'Home')
    await expect(day(53 * 7)).toBeFocused()
    await pressed(page, 'End')
    await expect(day(0)).toBeFocused()
  },
  async 'In a year view, First or last day: Ctrl Home End'(page) {
    const day = await openYear(page)
    await pressed(page, 'Control+Home')
    await expect(year(habitRow(page, 'Read')).locator('[data-day]').first()).toBeFocused()
    await pressed(page, 'Control+End')
    await expect(day(0)).toBeFocused()
  },
}

async function openChart(page: Page) {
  await live(page, { focus: { 0: [1_500] } })
  await openAnalytics(page)
  const bars = chart(card(page, 'Completed focus')).getByRole('rowheader').getByRole('link')
  await bars.nth(29).focus()
  return bars
}

/** A habit's year, with the focus on today. */
async function openYear(page: Page) {
  await openHabits(page, [{ name: 'Read' }])
  const reading = habitRow(page, 'Read')
  await name(reading).click()
  await expect(year(reading)).toHaveAttribute('aria-busy', 'false')
  const day = (ago: number) => year(reading).locator(`[data-day="${daysAgo(ago)}"]`)
  await day(0).focus()
  return day
}

async function listed(page: Page): Promise<string[]> {
  return shortcuts(page)
    .locator('section')
    .evaluateAll((groups) =>
      groups.flatMap((group) =>
        [...group.querySelectorAll('dl > div')].map((row) => {
          const keys = [...row.querySelectorAll('kbd')].map(
            (key) => (key.firstElementChild ?? key).textContent,
          )
          return `${group.querySelector('h3')?.textContent}, ${row.querySelector('dt')?.textContent}: ${keys.join(' ')}`
        }),
      ),
    )
}

test.describe('each listed shortcut works', () => {
  test('each of them is tested here', async ({ page }) => {
    await openList(page)
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    expect(await listed(page)).toEqual(Object.keys(works))
  })

  for (const [shortcut, work] of Object.entries(works)) {
    test(shortcut, ({ page }) => work(page))
  }
})

test.describe('the shortcuts dialog', () => {
  test('opens on any screen, and returns the focus to where it was', async ({ page }) => {
    await openList(page, { open: ['Buy milk'] })
    await edit(row(page, 'Buy milk')).focus()
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeFocused()
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(edit(row(page, 'Buy milk'))).toBeFocused()
    for (const screen of ['Habits', 'Analytics']) {
      await page.getByRole('link', { name: screen }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await pressed(page, '?')
      await expect(shortcuts(page)).toBeVisible()
      await shortcuts(page).getByRole('button', { name: 'Close' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    }
  })

  test('does not open where a question mark is typed, nor over another dialog', async ({ page }) => {
    await openList(page)
    await field(page).click()
    await page.keyboard.type('Where is the key?')
    await expect(field(page)).toHaveValue('Where is the key?')
    await page.goto('/habits')
    await page.getByRole('main').getByRole('button', { name: 'Add Habit' }).first().click()
    await page.keyboard.type('Stretch?')
    await expect(habitDialog(page).getByLabel('Habit Title')).toHaveValue('Stretch?')
    await habitDialog(page).getByRole('button', { name: 'Cancel' }).focus()
    await pressed(page, '?')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(page.getByRole('dialog', { name: 'Add New Habit' })).toBeVisible()
  })

  test('keeps the keys from the screen behind it', async ({ page }) => {
    await openTimer(page)
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    await pressed(page, 'Space')
    await page.clock.runFor(1_000)
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(button(page, 'Start')).toBeVisible()
    await expect(countdown(page)).toHaveText('25:00')
  })

  test('turns single-key shortcuts off and on, in step with the account menu', async ({ page }) => {
    await openList(page)
    await pressed(page, '?')
    await expect(singleKeys(page)).toBeChecked()
    await singleKeys(page).click()
    await expect(singleKeys(page)).not.toBeChecked()
    // Exactly those that are off say so.
    await expect(shortcuts(page).getByText('Off', { exact: true })).toHaveCount(4)
    await pressed(page, 'Escape')
    await expect(shortcuts(page)).toHaveCount(0)

    await pressed(page, '?', 'n')
    await expect(shortcuts(page)).toHaveCount(0)
    await expect(field(page)).not.toBeFocused()
    await pressed(page, 'Control+b')
    await expect(page.locator('aside'), 'those with Ctrl stay').toBeHidden()
    await pressed(page, 'Control+b')

    await accountMenu(page).click()
    const item = page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' })
    await expect(item).not.toBeChecked()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await expect(shortcuts(page)).toBeFocused()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await shortcuts(page).getByText('Single-key shortcuts').click()
    await expect(singleKeys(page)).toBeChecked()
    await pressed(page, 'Escape')
    await expect(accountMenu(page)).toBeFocused()
    await pressed(page, '?')
    await expect(shortcuts(page)).toBeVisible()
    await pressed(page, 'Escape')
    await accountMenu(page).click()
    await expect(item).toBeChecked()
  })

  test('opens from the account menu with the keyboard', async ({ page }) => {
    await openList(page)
    await accountMenu(page).press('Enter')
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
    await expect(shortcuts(page)).toBeFocused()
    await pressed(page, 'Tab')
    await expect(singleKeys(page)).toBeFocused()
    await pressed(page, 'Space')
    await expect(singleKeys(page)).not.toBeChecked()
    await pressed(page, 'Escape')
    await expect(accountMenu(page)).toBeFocused()
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

    test('can be opened from the account menu, and lists its keys for a connected keyboard', async ({
      page,
    }) => {
      await openList(page)
      await page.getByRole('button', { name: 'Toggle sidebar' }).tap()
      await accountMenu(page).tap()
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).tap()
      await expect(shortcuts(page)).toBeVisible()
      await expect(shortcuts(page).getByText('These work with a connected keyboard.')).toBeVisible()
      await expect(shortcuts(page).locator('kbd').first()).toBeVisible()
      await singleKeys(page).scrollIntoViewIfNeeded()
      await singleKeys(page).tap()
      await expect(singleKeys(page)).not.toBeChecked()
      await shortcuts(page).getByRole('button', { name: 'Close' }).tap()
      await expect(shortcuts(page)).toHaveCount(0)
      await expect(accountMenu(page)).toBeFocused()
    })
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('the shortcuts dialog fits and passes the accessibility check, on and off', async ({ page }) => {
      test.slow()
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await field(page).waitFor()
      await page.getByRole('heading', { level: 1 }).focus()
      await pressed(page, '?')
      await expect(shortcuts(page)).toBeVisible()
      for (const state of ['on', 'off']) {
        await inEveryLook(page, widths, async ({ expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          await expectNoAxeViolations()
        })
        if (state === 'on') await singleKeys(page).click()
      }
    })
  })
}
