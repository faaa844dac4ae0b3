import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { finger, moveFinger } from './testing/person/finger.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { button } from './testing/screens/focus-timer.ts'
import {
  addButton,
  completedTasks,
  field,
  openList,
  openTasks,
  row,
  tick,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

// What a phone has at the bottom of its window, and what a thumb does to rows.

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name, exact: true })
const strip = (page: Page) => page.getByRole('region', { name: 'Focus timer' })

async function middleOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const dock = (page: Page) => page.locator('[data-dock]')
const boxOf = (locator: Locator) =>
  locator.evaluate((it) => {
    const { top, bottom, height } = it.getBoundingClientRect()
    return { top, bottom, height }
  })

const many = Array.from({ length: 30 }, (_, place) => `Task ${place}`)

test('what a phone has at the bottom of its window', async ({ page }) => {
  await openList(page, { open: many })

  await test.step('while the keyboard is up the tab bar is away, the field stands above the keyboard, and the list does not move', async () => {
    await expect(tabs(page)).toBeVisible()
    const { y } = await middleOf(row(page, 'Task 0'))
    expect(await boxOf(dock(page))).toMatchObject({ height: 60, bottom: 844 - 56 })
    await field(page).tap()
    await expect(tabs(page), 'a keyboard of its own').toBeVisible()
    await page.setViewportSize({ width: 390, height: 544 })
    await expect(tabs(page)).toBeHidden()
    await expect.poll(async () => (await boxOf(dock(page))).bottom).toBe(544)
    expect((await middleOf(row(page, 'Task 0'))).y).toBe(y)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(tabs(page)).toBeVisible()
    await expect.poll(async () => (await boxOf(dock(page))).bottom).toBe(844 - 56)
    expect((await middleOf(row(page, 'Task 0'))).y).toBe(y)
  })

  await test.step('the list ends 16 px above the field', async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    const { bottom } = await boxOf(row(page, 'Task 29'))
    expect(bottom).toBe((await boxOf(dock(page))).top - 16)
  })

  await test.step('a thumb adds a task from the bottom of a long list, which stays where it is', async () => {
    const { y } = await middleOf(row(page, 'Task 29'))
    await field(page).tap()
    await page.keyboard.type('Buy milk')
    expect((await middleOf(row(page, 'Task 29'))).y).toBe(y)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await titlesIn(openTasks(page)))[0]).toBe('Buy milk')
  })

  await test.step('toasts are above the field', async () => {
    await closeToasts(page)
    await row(page, 'Task 3').getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Delete task' }).tap()
    await expect(toasts(page)).toContainText('Task deleted')
    const { top } = await boxOf(dock(page))
    const bottom = () =>
      toasts(page).evaluate((toast) => {
        const { bottom } = toast.getBoundingClientRect()
        return bottom
      })
    await expect.poll(bottom).toBeLessThanOrEqual(top - 16)
  })

  await test.step('the tab bar leads to each main screen with one press, and says which one is shown', async () => {
    await expect(tab(page, 'Todos')).toHaveAttribute('aria-current', 'page')
    for (const [name, heading] of [
      ['Today', 'Today'],
      ['Habits', 'Habits'],
      ['Focus', 'Focus Timer'],
      ['Analytics', 'Analytics Dashboard'],
      ['Todos', 'Todo List'],
    ] as const) {
      await tab(page, name).tap()
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(tab(page, name)).toHaveAttribute('aria-current', 'page')
      await expect(tabs(page).locator('[aria-current=page]')).toHaveCount(1)
      const { bottom, height } = await tabs(page).evaluate((bar) => bar.getBoundingClientRect())
      expect(bottom).toBe(844)
      expect(height).toBe(56)
    }
  })

  await test.step('a running timer is at the bottom of the other screens, where it can be paused', async () => {
    await expect(strip(page)).toHaveCount(0)
    await tab(page, 'Focus').tap()
    await button(page, 'Start').tap()
    await expect(strip(page), 'the screen itself shows it').toHaveCount(0)
    await tab(page, 'Habits').tap()
    await expect(strip(page)).toContainText(/2[45]:\d\d/)
    await strip(page).getByRole('button', { name: 'Pause' }).tap()
    await expect(strip(page)).toContainText('Paused')
    await strip(page).getByRole('button', { name: 'Start' }).tap()
    await expect(strip(page)).toContainText('Focusing')
    await strip(page).getByRole('link').tap()
    await expect(button(page, 'Pause')).toBeVisible()
  })
})

test('the field for a new task comes in its place, however late the bars below it', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.addInitScript(() => {
    const places = new Set<number>()
    Object.assign(window, { placesOfField: () => [...places] })
    const look = () => {
      const box = document.querySelector('[data-dock]')?.getBoundingClientRect()
      if (box) places.add(box.top)
      requestAnimationFrame(look)
    }
    look()
  })
  await page.route('**/assets/shell-parts-*.js', async (route) => {
    await new Promise((later) => setTimeout(later, 500))
    await route.continue()
  })
  for (const path of ['/todos', '/today', '/upcoming']) {
    await page.goto(path)
    await expect(dock(page)).toBeInViewport({ ratio: 1 })
    await expect(tabs(page)).toBeVisible()
    const { top, bottom } = await boxOf(dock(page))
    expect(bottom).toBe((await boxOf(tabs(page))).top)
    expect(await page.evaluate('placesOfField()'), path).toEqual([top])
  }
})

test('the field for a new task at the bottom', async ({ page }) => {
  await openList(page, { open: many })
  await expect(tabs(page)).toBeVisible()

  /** As on most phones, which lay the keyboard over the page. */
  const layKeyboard = async (height: number) => {
    await page.evaluate((height) => {
      const { visualViewport } = window
      if (!visualViewport) return
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: innerHeight - height })
      visualViewport.dispatchEvent(new Event('resize'))
    }, height)
  }

  await test.step('a keyboard that lies over the page covers nothing of it, chips included', async () => {
    await field(page).tap()
    await layKeyboard(300)
    await expect.poll(async () => (await boxOf(dock(page))).bottom).toBe(544)
    const add = await boxOf(addButton(page))
    await page.keyboard.type('Call Mum tomorrow at 18:00 #family')
    const chip = page
      .getByRole('button', { name: 'Remove due date' })
      .or(page.getByRole('button', { name: 'Keep the date as text' }))
    await expect(chip).toBeVisible()
    expect((await boxOf(chip)).bottom).toBeLessThanOrEqual(544)
    expect(await boxOf(addButton(page)), 'Add stays under the finger').toEqual(add)
    await chip.tap()
    await expect(field(page)).toBeFocused()
    expect(await boxOf(addButton(page))).toEqual(add)
  })

  await test.step('suggestions open upwards', async () => {
    await field(page).fill('')
    await page.keyboard.type('Call Mum !')
    const suggestions = page.getByRole('listbox', { name: 'Priorities' })
    await expect(suggestions).toBeVisible()
    const { top, bottom } = await boxOf(suggestions)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThanOrEqual((await boxOf(field(page))).top)
  })

  await test.step('a long text grows upwards, and scrolls once it takes two fifths of what is in sight', async () => {
    await field(page).fill('And another word '.repeat(12).trim())
    await expect.poll(async () => (await boxOf(field(page))).height).toBeGreaterThan(100)
    expect((await boxOf(dock(page))).bottom).toBe(544)
    await field(page).fill('And another word '.repeat(28).trim())
    await expect.poll(async () => (await boxOf(field(page))).height).toBeCloseTo(544 * 0.4, 0)
    await field(page).press('End')
    const [scrolled, marks] = await field(page).evaluate((text) => [
      text.scrollTop,
      text.previousElementSibling?.scrollTop,
    ])
    expect(scrolled).toBeGreaterThan(0)
    expect(marks).toBe(scrolled)
    await field(page).fill('')
  })

  await test.step('it is out of the way while a title is typed in the list', async () => {
    await row(page, 'Task 0').getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Edit task' }).tap()
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await expect(dock(page)).toBeHidden()
    await page.keyboard.press('Escape')
    await layKeyboard(0)
    await expect(dock(page)).toBeVisible()
  })

  await test.step('while tasks are selected their bar is in its place, and what was typed is there afterwards', async () => {
    await field(page).fill('Half a thought')
    await row(page, 'Task 1').getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Select' }).tap()
    await expect(page.getByRole('region', { name: 'Selected tasks' })).toBeVisible()
    await expect(dock(page)).toBeHidden()
    await expect(tabs(page)).toBeHidden()
    await page.getByRole('button', { name: 'Clear selection' }).tap()
    await expect(field(page)).toHaveValue('Half a thought')
    await field(page).fill('')
  })

  await test.step('a phone held sideways has more room for the list', async () => {
    await page.setViewportSize({ width: 667, height: 375 })
    await expect.poll(async () => (await boxOf(tabs(page))).height).toBe(44)
    await expect.poll(async () => boxOf(dock(page))).toMatchObject({ height: 52, bottom: 375 - 44 })
  })

  await test.step('in a wider window it stands above the list', async () => {
    await page.setViewportSize({ width: 800, height: 844 })
    await expect
      .poll(async () => (await boxOf(dock(page))).bottom)
      .toBeLessThan((await boxOf(row(page, 'Task 0'))).top)
  })
})

test('swipes', async ({ page }) => {
  await openList(page, { open: many })
  const touch = await finger(page)

  await test.step('too short, or taken back, it does nothing', async () => {
    const from = await middleOf(row(page, 'Task 3'))
    await moveFinger(touch, from, { x: 90 })
    await touch('touchEnd')
    await moveFinger(touch, from, { x: 150 })
    await touch('touchMove', from.x + 20, from.y)
    await touch('touchEnd')
    await expect(row(page, 'Task 3')).toHaveCSS('translate', 'none')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(many)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('to the right a task is completed, and reopened', async () => {
    await moveFinger(touch, await middleOf(row(page, 'Task 3')), { x: 150 })
    await touch('touchEnd')
    await expect(tick(completedTasks(page).getByRole('listitem'))).toHaveAccessibleName('Task 3')
    await expect(page.getByRole('complementary', { name: 'Details' }), 'it was no tap').toHaveCount(0)
    await row(page, 'Task 3').evaluate((it) => it.scrollIntoView({ block: 'center' }))
    await moveFinger(touch, await middleOf(row(page, 'Task 3')), { x: 150 })
    await touch('touchEnd')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(many)
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  await test.step('to the left its date is chosen', async () => {
    await moveFinger(touch, { ...(await middleOf(row(page, 'Task 3'))), x: 300 }, { x: -150 })
    await touch('touchEnd')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Tomorrow/ })
      .tap()
    await expect(row(page, 'Task 3')).toContainText('Tomorrow')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('up or down, however slanted, the page scrolls and no row moves', async () => {
    await moveFinger(touch, await middleOf(row(page, 'Task 6')), { x: 120, y: -200 })
    // What the finger pushed goes on by itself for a moment, also after a jump to the top.
    const restsAgain = page.evaluate(
      () => new Promise((rests) => document.addEventListener('scrollend', () => rests(true), { once: true })),
    )
    await touch('touchEnd')
    await restsAgain
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50)
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(many)
    await expect(row(page, 'Task 6')).toHaveCSS('translate', 'none')
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  await test.step('across, the page does not scroll', async () => {
    await moveFinger(touch, await middleOf(row(page, 'Task 6')), { x: 150, y: -60 })
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await touch('touchEnd')
    await expect(completedTasks(page).getByText('Task 6')).toBeVisible()
  })
})

test('the bars in every look', async ({ page }) => {
  await openList(page, { open: ['Water the plants'] })

  await test.step('the bars fit every width and pass WCAG 2.2 AA in both themes', async () => {
    await tab(page, 'Focus').tap()
    await button(page, 'Start').tap()
    await tab(page, 'Todos').tap()
    await expect(strip(page)).toBeVisible()
    await inEveryLook(page, [320, 767], async ({ expectNoAxeViolations }) => {
      await expectNothingSticksOut(page)
      await expectNoAxeViolations()
    })
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('with text at twice the size the signs stand alone, and keep their names', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expectNothingSticksOut(page)
    await expect(tab(page, 'Analytics')).toBeVisible()
    await expectNoAxeViolations(page)
  })
})
