import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { changeBehindTheScreens, meaning, saved, startPage, stored } from './testing/screens/preferences.ts'

// With which screen Daymark opens, for whoever chooses another one than the to-dos.

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('the start page', async ({ page, browser }) => {
  const person = await signUpBehindTheScreens(page)
  await page.goto('/settings')
  // A new account first stores the browser's zone.
  await settled(page)

  await test.step('whoever chose nothing is led to the to-dos', async () => {
    const other = await browser.newContext()
    const elsewhere = await other.newPage()
    await signIn(elsewhere, person)
    await expect(elsewhere).toHaveURL('/todos')
    await other.close()
  })

  await test.step('it is Todos until it is chosen, and says what the choice means', async () => {
    await expect(startPage(page, 'Todos')).toBeChecked()
    await saved(page, () => startPage(page, 'Today').check())
    await expect(meaning(page)).toHaveText('Daymark now opens with Today.')
    expect(await stored(page)).toMatchObject({ start_page: 'today' })
    await page.reload()
    await expect(startPage(page, 'Today')).toBeChecked()
  })

  await test.step('signing in on a device that has never seen the account leads to the chosen one', async () => {
    const other = await browser.newContext()
    const elsewhere = await other.newPage()
    await signIn(elsewhere, person)
    await expect(elsewhere).toHaveURL('/today')
    await expect(elsewhere.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    await other.close()
  })

  await test.step('the installed app, the dashboard link and the form for signing in lead there', async () => {
    await expect
      .poll(() => page.evaluate(() => Object.entries(localStorage).flat().join()))
      .toMatch(/daymark-start-page-[^,]+,today/)
    const { start_url } = await (await page.request.get('/manifest.webmanifest')).json()
    for (const address of [start_url, '/sign-in', '/sign-up']) {
      await page.goto(address)
      await expect(page, address).toHaveURL('/today')
    }
    await page.goto('/')
    await page.getByRole('link', { name: 'Go to Dashboard' }).click()
    await expect(page).toHaveURL('/today')
  })

  await test.step('somebody else who signs in with this browser has a start page of their own', async () => {
    await page.getByRole('button', { name: /account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/sign-in')
    const other = await signUpBehindTheScreens(page, newPerson('Ada-Byron'))
    await page.goto('/start')
    await expect(page).toHaveURL('/todos')
    await expect(page.getByRole('button', { name: new RegExp(`^${other.name}`) })).toBeVisible()
  })
})

test.describe('without a connection', () => {
  test.use({
    serviceWorkers: 'allow',
    mayLog:
      /ERR_INTERNET_DISCONNECTED|Failed to load resource|Could not read|could not be read|got no answer/,
  })

  test('the installed app opens with it as well', async ({ page, context }) => {
    await signUpBehindTheScreens(page)
    await changeBehindTheScreens(page, { start_page: 'today' })
    await page.goto('/today')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await expect
      .poll(() => page.evaluate(() => Object.entries(localStorage).flat().join()))
      .toMatch(/daymark-start-page-[^,]+,today/)
    await expect.poll(async () => (await page.evaluate(() => caches.keys())).length).toBeGreaterThan(0)
    await page.reload()
    await context.setOffline(true)
    await page.goto('/start')
    await expect(page).toHaveURL('/today')
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  })
})
