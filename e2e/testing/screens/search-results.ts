import { expect, type Page } from '@playwright/test'
import { fetchedLater } from '../connection/on-device.ts'
import { settled } from '../connection/settled.ts'

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true })
export const searchField = (page: Page) => palette(page).getByRole('combobox', { name: 'Search' })
export const result = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
export const results = (page: Page, group: string) =>
  palette(page).getByRole('group', { name: group, exact: true }).getByRole('option')
export const activeResult = (page: Page) => palette(page).getByRole('option', { selected: true })

/** What answers Ctrl+K with a palette has come, and has run: an idle browser that draws nothing may not call back by itself. */
export async function paletteIsThere(page: Page): Promise<void> {
  const isThere = async () => {
    const isKnown = performance.getEntriesByName('palette is there').length > 0
    if (isKnown) return true
    const files = performance.getEntriesByType('resource')
    if (!files.some(({ name }) => /\/palette-[\w-]{8}\.js$/.test(name))) return false
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))
    performance.mark('palette is there')
    return true
  }
  await expect.poll(() => page.evaluate(isThere), { intervals: [25] }).toBe(true)
}

/** What searches the rows of a screen has come. */
export async function screenSearchIsThere(page: Page, of: 'todo' | 'habit' = 'todo'): Promise<void> {
  await fetchedLater(page, of === 'todo' ? 'task-parts-' : 'habit-parts-')
  // Until then the palette answers the key.
  await settled(page)
}

export async function openPalette(page: Page): Promise<void> {
  await paletteIsThere(page)
  await page.keyboard.press('Control+k')
  await expect(searchField(page)).toBeFocused()
}

export async function searchFor(page: Page, text: string): Promise<void> {
  await openPalette(page)
  await searchField(page).fill(text)
}
