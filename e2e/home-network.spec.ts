import { expect } from '@playwright/test'
import { neverFetchTheRest } from './testing/connection/on-device.ts'
import { servePortal } from './testing/connection/portal.ts'
import { test as base, newPerson, signUpBehindTheScreens } from './testing/person/person.ts'
import { givePicture, isShown } from './testing/screens/picture.ts'
import { userMenu } from './testing/screens/settings.ts'
import { field, row } from './testing/screens/todo-list.ts'

/** A browser whose DNS leads to this machine for a home name, and for a name that somebody on the internet owns. */
const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const names = '--host-resolver-rules=MAP daymark.lan 127.0.0.1, MAP daymark.example 127.0.0.1'
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), names] })
    },
    { scope: 'worker' },
  ],
})

const at = (baseURL = '', host: string) => baseURL.replace('localhost', host)

test.describe('by a name of the home network, over plain http', () => {
  test.use({
    mayLog:
      /Failed to load resource.*(401|CACHE_MISS)|origin was untrustworthy|Not supported for insecure origins/,
  })

  test('Daymark works without a setting, and signing out removes the picture from the cache', async ({
    page,
    baseURL,
  }) => {
    const home = at(baseURL, 'daymark.lan')
    const { name, email, password } = newPerson()
    await page.goto(`${home}/sign-up`)
    await page.getByLabel('Full Name').fill(name)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(userMenu(page)).toBeVisible()
    await page.goto(`${home}/todos`)
    await field(page).fill('Water the quince tree')
    await field(page).press('Enter')
    await expect(row(page, 'Water the quince tree')).toBeVisible()
    const picture = await givePicture(page)
    await page.reload()
    await expect(userMenu(page).locator('img')).toBeVisible()
    expect(await isShown(page, picture), 'it is looked for in the right place').toBe(true)
    await userMenu(page).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await isShown(page, picture)).toBe(false)
  })
})

test.describe('by such a name, through a portal that asks people to sign in', () => {
  test.use({
    mayLog: /Failed to|untrustworthy|Could not|could not|Not supported for insecure|MIME type|Unexpected/,
  })

  test('what the portal answers for a file is gone with the next load', async ({ page, baseURL }) => {
    const portal = await servePortal(baseURL ?? '')
    const home = at(portal.address, 'daymark.lan')
    await signUpBehindTheScreens(page)
    const cookies = await page.context().cookies()
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, domain: 'daymark.lan' })))
    await neverFetchTheRest(page)
    await page.goto(`${home}/todos`)
    await expect(field(page)).toBeVisible()
    portal.shut()
    await page.getByRole('link', { name: 'Analytics' }).click()
    await expect.poll(() => portal.refused.filter((path) => path.endsWith('.js'))).not.toEqual([])
    portal.open()
    // The app may be loading itself anew by then, which ends this one's.
    await expect(() => page.reload()).toPass()
    await page.getByRole('link', { name: 'Analytics' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics Dashboard')
    await portal.stop()
  })
})

test.describe('by a name on the internet that Daymark was not told', () => {
  test.use({ mayLog: /Failed to load resource.*503|Login failed|origin was untrustworthy/ })

  test('nobody gets in, and the operator reads what to set', async ({ page, baseURL }) => {
    const public_ = at(baseURL, 'daymark.example')
    await page.goto(`${public_}/sign-in`)
    await page.getByLabel('Email').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText(`start Daymark with BASE_URL=${public_}`)
  })
})
