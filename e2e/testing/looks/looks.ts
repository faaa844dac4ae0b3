import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoAxeViolations, rulesOfColour } from './axe.ts'
import { expectNoClassesInConflict } from './class-names.ts'

/** The widths at which every screen is checked, for touch and for a pointer. */
export const hands = [
  { hand: 'touch', widths: [320, 360], use: { viewport: { width: 320, height: 800 }, hasTouch: true } },
  { hand: 'a pointer', widths: [768, 1280], use: { viewport: { width: 768, height: 800 }, hasTouch: false } },
] as const

export interface Look {
  width: number
  /** Checks all rules in the light theme, and only colour rules in the dark one, because a theme changes nothing else. */
  expectNoAxeViolations(): Promise<void>
}

/**
 * Passes one state of a page to `judge` at every width and in both themes: reopening it for each would take minutes. No
 * element may have class names that contradict each other.
 */
export async function inEveryLook(
  page: Page,
  widths: readonly number[],
  judge: (look: Look) => Promise<void>,
): Promise<void> {
  for (const width of widths) {
    await resize(page, width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await judge({
        width,
        expectNoAxeViolations: () =>
          expectNoAxeViolations(page, colorScheme === 'dark' ? rulesOfColour : undefined),
      })
    }
    await expectNoClassesInConflict(page)
  }
}

/** Resolves once the layout at that width is painted: scripts apply some of it after a media query changes. */
export async function resize(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** Polls, because scripts apply some of the layout after the width or the text size changes. */
export async function expectNothingSticksOut(page: Page) {
  const pixelsTooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(pixelsTooWide).toBeLessThanOrEqual(0)
}

/** Moves the focus to the toasts, which keeps them open: checking a state takes longer than they last. */
export async function holdToasts(page: Page) {
  // Once it has begun to fade in: who checks colours waits for the end of that.
  await expect(page.locator('[data-sonner-toast][data-mounted=true]').first()).toBeVisible()
  await page.keyboard.press('Alt+T')
}

/** The visible width in pixels of the narrowest week of a year that is visible at all. */
export function leastShownOfAWeek(year: Locator): Promise<number> {
  return year.evaluate((grid) => {
    const weekdays = grid.querySelector('[role=rowheader]')?.getBoundingClientRect().right ?? 0
    const cells = [...(grid.querySelector('[role=row]')?.querySelectorAll('[role=gridcell]') ?? [])]
    const shown = cells.map((cell) => {
      const { left, right } = cell.getBoundingClientRect()
      return right - Math.max(left, weekdays)
    })
    return Math.min(...shown.filter((pixels) => pixels > 0.1))
  })
}
