import { expect, type Locator, type Page } from '@playwright/test'

// The steps of an import on the settings screen.

export const yourData = (page: Page) => page.getByRole('region', { name: 'Your data' })
export const importButton = (page: Page) =>
  yourData(page).getByRole('button', { name: 'Import', exact: true })
export const preview = (page: Page) => page.getByRole('region', { name: /^Import from/ })
export const writing = (page: Page) => page.getByRole('region', { name: /^Importing from/ })
export const result = (page: Page) => page.getByRole('region', { name: /^(Imported from|Import stopped)/ })
export const refusal = (page: Page) => page.getByRole('region', { name: "This file can't be imported" })
export const pastImports = (page: Page) =>
  page.getByRole('list', { name: 'Past imports' }).getByRole('listitem')

export async function chooseFile(page: Page, name: string, content: string | Buffer) {
  await yourData(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}

/** One of the four lines: 'New', 'Already here', 'Come changed', 'Cannot come', or what they are called afterwards. */
export function lineOf(region: Locator, name: string): Locator {
  return region
    .getByRole('listitem')
    .filter({ has: region.page().getByText(name, { exact: true }) })
    .first()
}

/** Presses the button that writes what the preview shows, and waits for the result. */
export async function takeIn(page: Page) {
  await preview(page)
    .getByRole('button', { name: /^Import (\d|preferences)/ })
    .click()
  await expect(result(page)).toBeVisible()
}
