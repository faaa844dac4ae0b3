import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, holdToasts, inEveryLook, resize } from './testing/looks/looks.ts'
import { test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { field, keptTasks, openList, row } from './testing/screens/todo-list.ts'

test.use({ mayLog: /Failed to load resource/ })

const said = (page: Page) => page.getByRole('banner').locator('.sr-only', { hasNotText: 'Daymark' })
const title = "Changes can't be saved to the server right now"

const full = {
  code: 'STORAGE_FULL',
  message: "The server's disk is full, so nothing can be saved.",
}
const longest = {
  code: 'STORAGE_REPLACED',
  message:
    "The server's database file was replaced or removed, so nothing can be saved until Daymark is restarted.",
}

/** Responds like a server that cannot store anything, until the returned function is called. */
async function storeNothing(page: Page, failure = full): Promise<() => Promise<void>> {
  const writes = /\/api\/(todos|changes)(\/|$)/
  await page.route(writes, (route) => {
    if (route.request().method() === 'GET') return route.continue()
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: failure })
  })
  return () => page.unroute(writes)
}

async function add(page: Page, task: string) {
  await field(page).fill(task)
  await field(page).press('Enter')
  await expect(row(page, task)).toBeVisible()
}

test('a server that cannot store anything', async ({ page }) => {
  await openList(page, { open: ['Water the plants'] })

  await test.step('the longest reason is shown completely at every width, light and dark', async () => {
    const storeAgain = await storeNothing(page, longest)
    await add(page, 'Pay the rent')
    const description = page.locator('[data-sonner-toast] [data-description]')
    await expect(description).toBeVisible()
    await holdToasts(page)
    await inEveryLook(page, [360, 768, 1280], async (look) => {
      await expect
        .poll(() => description.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
        .toBe(0)
      await expectNothingSticksOut(page)
      await look.expectNoAxeViolations()
    })
    await storeAgain()
    await expect(said(page)).toHaveText('All changes saved')
    await resize(page, 1280)
    await page.emulateMedia({ colorScheme: 'light' })
    await closeToasts(page)
    await settled(page)
  })

  await test.step('someone whose changes the server cannot store is told why, keeps them, and has them sent when it can', async () => {
    const storeAgain = await storeNothing(page)
    await add(page, 'Buy milk')
    await add(page, 'Buy bread')
    const toast = page.locator('[data-sonner-toast]')
    await expect(toast).toHaveCount(1)
    await expect(toast).toContainText(title)
    await expect(toast).toContainText(
      `${full.message} Your changes are kept on this device and will be sent automatically.`,
    )
    await expect(said(page)).toHaveText('2 changes wait')

    await page.reload()
    await expect(row(page, 'Water the plants'), 'reading goes on').toBeVisible()
    await expect(row(page, 'Buy milk')).toBeVisible()
    await expect(toast).toContainText(title)

    await storeAgain()
    await expect(said(page)).toHaveText('All changes saved')
    await expect(toast).toHaveCount(0)
    expect((await keptTasks(page)).map((task) => task.title).toSorted()).toEqual([
      'Buy bread',
      'Buy milk',
      'Pay the rent',
      'Water the plants',
    ])
  })
})
