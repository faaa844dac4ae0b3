import { expect, type Page } from '@playwright/test'
import { keepDeviceBusy } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import { newSubtask, openDetails } from './testing/screens/task-details.ts'
import { keptTasks, openList, row, tick } from './testing/screens/todo-list.ts'

// A page that is reloaded or closed right after a press, or while somebody types, before the device could store anything.

/** Whether everything that an earlier page left behind has been taken over. */
const isTakenOver = async (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).every((key) => !key.includes('left-writes')))

test('a tick survives a page that is left before the tick is even painted', async ({ page }) => {
  await openList(page, { open: ['Pay the rent'] })
  await keepDeviceBusy(page)
  // A page knows from these that it has been painted.
  await page.evaluate(() => {
    IntersectionObserver.prototype.observe = () => {}
  })
  await tick(row(page, 'Pay the rent')).click()
  await page.reload()
  await expect(tick(row(page, 'Pay the rent'))).toBeChecked()
  await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Pay the rent', completed: 1 }])
  await settled(page)
  expect(await isTakenOver(page)).toBe(true)
})

for (const [where, isTold] of [
  ['', true],
  [", where no 'beforeunload' is told, as on an iPhone", false],
] as const)
  test(`a subtask that is being typed when the page is left survives, once${where}`, async ({ page }) => {
    if (!isTold)
      await page.addInitScript(() =>
        addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true),
      )
    await openList(page, { open: ['Pay the rent'] })
    await openDetails(page, 'Pay the rent')
    await newSubtask(page).fill('Find the account number')
    await keepDeviceBusy(page)
    await page.reload()
    const titles = async () => (await keptTasks(page)).map(({ title }) => title).sort()
    await expect.poll(titles).toContain('Find the account number')
    await settled(page)
    expect(await titles()).toEqual(['Find the account number', 'Pay the rent'])
    expect(await isTakenOver(page)).toBe(true)
  })
