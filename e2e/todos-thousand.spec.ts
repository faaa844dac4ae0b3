import { expect, type Page } from '@playwright/test'
import { test } from './testing/person/person.ts'
import { openList } from './testing/screens/todo-list.ts'

test("a thousand tasks are all there for a screen reader, the browser's search and the keyboard", async ({
  page,
}) => {
  await openList(page, { open: Array.from({ length: 1_000 }, (_, place) => `Task ${place}`) })
  await page.getByText('Task 0', { exact: true }).waitFor()
  await expect.poll(() => namesForScreenReaders(page, 'checkbox')).toHaveLength(1_000)

  const last = page.locator('input[aria-label="Task 999"]')
  await expect(last).not.toBeInViewport()
  expect(await page.evaluate("window.find('Task 999')")).toBe(true)
  await expect(last).toBeInViewport()

  await last.press('Space')
  await expect(page.getByRole('heading', { name: 'Completed 1' })).toBeVisible()
  await expect(last).toBeChecked()
  await expect(page.locator('input[aria-label="Task 998"]')).toBeFocused()
})

/** From the browser's own accessibility tree, where an element that is not laid out could be missing. */
async function namesForScreenReaders(page: Page, role: string): Promise<unknown[]> {
  const browser = await page.context().newCDPSession(page)
  const { root } = await browser.send('DOM.getDocument')
  const { nodes } = await browser.send('Accessibility.queryAXTree', { nodeId: root.nodeId, role })
  await browser.detach()
  return nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value)
}
