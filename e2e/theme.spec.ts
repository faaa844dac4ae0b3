import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { test } from './testing/person/person.ts'
import { openSettings, saved, stored, theme } from './testing/screens/preferences.ts'

test.use({ timezoneId: 'Europe/Copenhagen' })

test('the theme is the same wherever it is chosen', async ({ page, browser }) => {
  await openSettings(page)

  await test.step('in the settings, with the button in the top bar, and in the user menu', async () => {
    const html = page.locator('html')
    await saved(page, () => theme(page, 'Dark').check())
    await expect(html).toHaveAttribute('data-theme', 'dark')

    await saved(page, () => page.getByRole('button', { name: 'Switch to light theme' }).click())
    await expect(html).toHaveAttribute('data-theme', 'light')
    await expect(theme(page, 'Light')).toBeChecked()
    expect((await stored(page)).theme).toBe('light')

    await page.getByRole('button', { name: /account menu/ }).click()
    await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeChecked()
    await saved(page, () => page.getByRole('menuitemradio', { name: 'System' }).click())
    await page.keyboard.press('Escape')
    await expect(html).not.toHaveAttribute('data-theme')
    await expect(theme(page, 'System')).toBeChecked()
    expect((await stored(page)).theme).toBe('system')
  })

  await test.step('a second device adopts it, and is right before its next first paint', async () => {
    await saved(page, () => theme(page, 'Dark').check())
    const phone = await anotherDevice(browser, page.context())
    await phone.goto('/todos')
    await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark')

    // With the first of its scripts alone, the page shows exactly its first paint.
    await phone.route(/\/assets\/(?!session-).*\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await phone.reload()
    await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark')
    await phone.context().close()
  })

  await test.step('a device with another theme follows the account', async () => {
    await saved(page, () => theme(page, 'Light').check())
    const phone = await anotherDevice(browser, page.context())
    await phone.addInitScript(() => {
      if (!localStorage.getItem('daymark-theme')) localStorage.setItem('daymark-theme', 'dark')
    })
    await phone.goto('/settings')
    await expect(theme(phone, 'Light')).toBeChecked()
    await expect(phone.locator('html')).toHaveAttribute('data-theme', 'light')
    expect((await stored(page)).theme).toBe('light')
    await phone.context().close()
  })

  await test.step("signed out, the device's own choice counts", async () => {
    await saved(page, () => theme(page, 'Dark').check())
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).not.toHaveURL(/settings/)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

/** Another device of the same person, with nothing stored yet. */
async function anotherDevice(browser: Browser, home: BrowserContext): Promise<Page> {
  const { cookies } = await home.storageState()
  const context = await browser.newContext({ timezoneId: 'Europe/Copenhagen' })
  await context.addCookies(cookies)
  return context.newPage()
}
