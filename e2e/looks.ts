import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoAxeViolations, rulesOfColour } from './axe.ts'

/** The widths that every screen is judged at, as a finger and as a pointer finds them. */
export const hands = [
  { hand: 'touch', widths: [320, 360], use: { viewport: { width: 320, height: 800 }, hasTouch: true } },
  { hand: 'a pointer', widths: [768, 1280], use: { viewport: { width: 768, height: 800 }, hasTouch: false } },
] as const

export interface Look {
  width: number
  /** By all rules in the light; in the dark by those of colour, for a theme changes nothing else. */
  expectNoAxeViolations(): Promise<void>
}

/** Hands one state of a page to `judge` at every width and in both themes: to open it anew for each would take minutes. */
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
  }
}

/** Resolves once the layout of that width is drawn: some of it follows a media query by script. */
export async function resize(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** At last: some of the layout follows a change of width, or of the size of letters, by script. */
export async function expectNothingSticksOut(page: Page) {
  const pixelsTooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(pixelsTooWide).toBeLessThanOrEqual(0)
}

/** Toasts stay for whoever has moved to them: a state is judged for longer than they last. */
export async function holdToasts(page: Page) {
  await page.keyboard.press('Alt+T')
}

/** Pixels that are seen of the narrowest week of a year, of those that are seen at all. */
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
