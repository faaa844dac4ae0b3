import { expect, type Page } from '@playwright/test'
import { everythingOnDevice, keptByTheBrowser } from './testing/connection/on-device.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { keepHabits } from './testing/screens/habit-list.ts'
import { givePicture, isShown } from './testing/screens/picture.ts'
import { question, userMenu } from './testing/screens/settings.ts'
import { field, keptTasks, row } from './testing/screens/todo-list.ts'

// Words that the app itself never shows.
const words = ['quince tree', 'Somersaults', 'Åsa-Lindgren', 'lindholm.example']

/** Someone who has used every screen, online and offline, in a browser that caches the app. */
async function someoneWhoUsedItAll(page: Page): Promise<{ picture: string }> {
  await signUpBehindTheScreens(page, {
    name: 'Åsa-Lindgren',
    email: `${crypto.randomUUID()}@lindholm.example`,
    password: 'correct horse',
  })
  await keepHabits(page, [{ name: 'Somersaults' }])
  await page.goto('/todos')
  const picture = await givePicture(page)
  await field(page).fill('Water the quince tree')
  await field(page).press('Enter')
  await expect.poll(async () => (await keptTasks(page)).length).toBe(1)
  await keptByTheBrowser(page)
  for (const address of ['/', '/focus', '/analytics', '/settings', '/habits', '/todos']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await expect(row(page, 'Water the quince tree')).toBeVisible()
  await expect(userMenu(page).locator('img')).toBeVisible()
  await page.context().setOffline(true)
  await page.reload()
  await expect(row(page, 'Water the quince tree')).toBeVisible()
  // Without a connection nobody can check whether it may be shown.
  await expect(userMenu(page)).toContainText('Å')
  await expect(userMenu(page).locator('img')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect
    .poll(() => everythingOnDevice(page), 'it is looked for in the right places')
    .toContain('quince tree')
  expect(await isShown(page, picture), 'it is looked for in the right place').toBe(true)
  return { picture }
}

test.use({
  serviceWorkers: 'allow',
  mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
})

test("after a sign-out nothing of the account can be read on the device, not even from the service worker's caches", async ({
  page,
}) => {
  const { picture } = await someoneWhoUsedItAll(page)
  await test.step('a page that the back button restores from memory checks at once whose it is', async () => {
    const asked = page.waitForRequest('**/api/auth/get-session')
    // What a browser does with such a page, which Playwright cannot do.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await asked
  })
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await nothingIsLeft(page)
  expect(await isShown(page, picture), 'the picture').toBe(false)
})

test('nor after the account was deleted', async ({ page }) => {
  const { picture } = await someoneWhoUsedItAll(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await question(page).getByLabel('Password', { exact: true }).fill('correct horse')
  await question(page).getByRole('button', { name: 'Yes, delete my account' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await nothingIsLeft(page)
  expect(await isShown(page, picture), 'the picture').toBe(false)
})

async function nothingIsLeft(page: Page) {
  const kept = await everythingOnDevice(page)
  expect(kept, 'the app itself is still kept').toContain('/screens/todos.html')
  for (const word of words) expect(kept.includes(word), word).toBe(false)
  const addresses = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname + new URL(url).search)
  })
  expect(addresses.filter((address) => !/^\/((assets|screens)\/)?[\w.-]+$/.test(address))).toEqual([])
}
