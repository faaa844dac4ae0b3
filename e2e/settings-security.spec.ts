import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { signOutBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  anotherBrowser,
  broken,
  card,
  comeBack,
  countSent,
  devices,
  fillPasswords,
  listSessions,
  openSettings,
  passwordDialog,
  toast,
  userOf,
} from './testing/screens/settings.ts'

async function openPasswords(page: Page) {
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(passwordDialog(page).getByLabel('Current Password')).toBeFocused()
}

async function closePasswords(page: Page) {
  await passwordDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(passwordDialog(page)).toHaveCount(0)
  await closeToasts(page)
}

test('settings: Security', async ({ page, browser }) => {
  const person = await openSettings(page)

  await test.step('nothing is sent that breaks the stated rules, and each error is shown at its field', async () => {
    await openPasswords(page)
    const sent = countSent(page, 'change-password')
    const dialog = passwordDialog(page)
    const [current, wanted, confirmed] = [
      dialog.getByLabel('Current Password'),
      dialog.getByLabel('New Password', { exact: true }),
      dialog.getByLabel('Confirm New Password'),
    ]
    await fillPasswords(page, 'short', 'short', 'short')
    await expect(current).toHaveAccessibleDescription('Current password must be at least 8 characters long')
    await expect(wanted).toHaveAccessibleDescription('New password must be at least 8 characters long')
    await expect(confirmed).toHaveAccessibleDescription('Confirm password must be at least 8 characters long')
    await expect(current).toBeFocused()
    await fillPasswords(page, 'correct horse', 'battery staple', 'battery stable')
    await expect(confirmed).toHaveAccessibleDescription("Passwords don't match")
    await expect(confirmed).toBeFocused()
    expect(sent()).toBe(0)

    // Cancel clears what was typed.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Change Password' })).toBeFocused()
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(current).toHaveValue('')
    expect(sent()).toBe(0)
    await closePasswords(page)
  })

  await test.step('are described, this one is marked, and one that is signed out is out within one request', async () => {
    await expect(devices(page)).toHaveText([/^Chrome on Windows\s*This device$/])
    await expect(page.getByText("You're not signed in anywhere else.")).toBeVisible()
    await expect(page.getByRole('button', { name: /^Sign out/ })).toHaveCount(0)

    const second = await anotherBrowser(browser, person)
    const third = await anotherBrowser(browser, person, { userAgent: 'NightlyPlant' })
    await comeBack(page)
    await expect(devices(page)).toHaveText([
      /^Chrome on Windows\s*This device$/,
      /^Unknown device\s*Last used less than an hour ago\s*Sign out$/,
      /^Safari on iPhone\s*Last used less than an hour ago\s*Sign out$/,
    ])
    const signOut = page.getByRole('button', { name: 'Sign out Safari on iPhone' })
    await expect(signOut).toHaveAccessibleDescription('Last used less than an hour ago')
    await signOut.click()
    await expect(devices(page)).toHaveCount(2)
    await expect(devices(page).filter({ hasText: 'iPhone' })).toHaveCount(0)
    await expect(devices(page).filter({ hasText: 'Unknown device' })).toBeFocused()
    expect((await second.request.get('/api/todos')).status()).toBe(401)
    expect((await third.request.get('/api/todos')).status()).toBe(200)

    const fourth = await anotherBrowser(browser, person, {})
    await comeBack(page)
    await expect(devices(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Sign out all other devices' }).click()
    await expect(devices(page)).toHaveText([/This device/])
    await expect(devices(page)).toBeFocused()
    await expect(page.getByText("You're not signed in anywhere else.")).toBeVisible()
    await expect(page.getByRole('button', { name: /^Sign out/ })).toHaveCount(0)
    expect((await third.request.get('/api/todos')).status()).toBe(401)
    expect(await userOf(page)).toBeDefined()
    await second.context().close()
    await third.context().close()
    await fourth.context().close()
  })

  await test.step('a device that signs in or out shows up when the person returns to the window', async () => {
    const second = await anotherBrowser(browser, person)
    await comeBack(page)
    await expect(devices(page)).toHaveCount(2)
    await signOutBehindTheScreens(second)
    await comeBack(page)
    await expect(devices(page)).toHaveCount(1)
    await second.context().close()
  })

  await test.step('shows its success, and a second browser is out within one request', async () => {
    const second = await anotherBrowser(browser, person)
    await second.goto('/todos')
    await expect(second.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    await comeBack(page)
    await expect(devices(page)).toHaveCount(2)
    // Before the change, because a request that the page makes by itself may take it to the sign-in first.
    await second.getByPlaceholder('Add a new task...').fill('Too late')

    await page.getByRole('button', { name: 'Change Password' }).click()
    const asked = page.waitForRequest((request) => request.url().endsWith('/change-password'))
    await fillPasswords(page, person.password, 'battery staple')
    expect((await asked).postDataJSON()).toEqual({
      currentPassword: person.password,
      newPassword: 'battery staple',
      revokeOtherSessions: true,
    })
    await expect(toast(page, 'Password changed successfully')).toBeVisible()
    await expect(passwordDialog(page)).toHaveCount(0)
    await expect(devices(page)).toHaveText([/This device/])

    expect((await second.request.get('/api/todos')).status()).toBe(401)
    await second.keyboard.press('Enter')
    await expect(second).toHaveURL(/\/sign-in$/)
    await second.context().close()

    // The fields are empty when it is opened again.
    await page.getByRole('button', { name: 'Change Password' }).click()
    for (const label of ['Current Password', 'New Password', 'Confirm New Password']) {
      await expect(passwordDialog(page).getByLabel(label, { exact: true })).toHaveValue('')
    }
    const back = await anotherBrowser(browser, { ...person, password: 'battery staple' })
    await back.context().close()
  })
})

test.describe('a password change that fails', () => {
  test.use({ mayLog: /Failed to load resource|Failed to change password|got no answer/ })

  test('says why', async ({ page, browser }) => {
    const person = await openSettings(page)

    await test.step('because no response came says so and clears the fields', async () => {
      await page.route('**/api/auth/change-password', (route) => route.abort())
      await openPasswords(page)
      await fillPasswords(page, 'correct horse', 'battery staple')
      await expect(toast(page, 'Failed to change password')).toContainText(
        "The server isn't responding. Try again in a moment.",
      )
      await expect(passwordDialog(page).getByLabel('New Password', { exact: true })).toHaveValue('')
      await page.unroute('**/api/auth/change-password')
      await closePasswords(page)
    })

    await test.step("because of a guessable password shows the server's message at its field", async () => {
      await openPasswords(page)
      await fillPasswords(page, person.password, 'password1')
      await expect(
        passwordDialog(page).getByLabel('New Password', { exact: true }),
      ).toHaveAccessibleDescription('This password is too common. Choose a different one.')
      await expect(passwordDialog(page).getByLabel('Current Password')).toBeFocused()
      await closePasswords(page)
    })

    await test.step("because of a wrong password shows the server's message, clears the fields and changes nothing", async () => {
      const second = await anotherBrowser(browser, person)
      await openPasswords(page)
      await fillPasswords(page, 'wrong horse', 'battery staple')
      await expect(toast(page, 'Failed to change password')).toContainText(
        'Your current password is incorrect.',
      )
      const dialog = passwordDialog(page)
      for (const label of ['Current Password', 'New Password', 'Confirm New Password']) {
        await expect(dialog.getByLabel(label, { exact: true })).toHaveValue('')
      }
      await expect(dialog.getByLabel('Current Password')).toBeFocused()
      await expect(dialog.getByLabel('Current Password')).toHaveAccessibleDescription(
        'Your current password is incorrect.',
      )
      // The toast can be closed above the dialog, which stays.
      await page.getByRole('button', { name: 'Close notification' }).click()
      await expect(toast(page, 'Failed to change password')).toHaveCount(0)
      await expect(dialog).toBeVisible()
      expect((await second.request.get('/api/todos')).status()).toBe(200)
      await second.context().close()
    })
  })
})

test.describe('the signed-in devices, when this one is signed out elsewhere', () => {
  test.use({ mayLog: /Failed to load resource.* 401|Could not read/ })

  test('it goes to the sign-in page', async ({ page, browser }) => {
    const person = await openSettings(page)
    const second = await anotherBrowser(browser, person)
    await second.goto('/settings')
    await second.getByRole('button', { name: 'Sign out Chrome on Windows' }).click()
    await expect(devices(second)).toHaveCount(1)
    await comeBack(page)
    await expect(page).toHaveURL(/\/sign-in$/)
    await second.context().close()
  })
})

test.describe('the signed-in devices that fail', () => {
  test.use({ mayLog: /Failed to load resource|Failed to sign out|could not be read/ })

  test('say so', async ({ page, browser }) => {
    const person = await openSettings(page)

    await test.step('to be signed out show the error, and stay in the list', async () => {
      const second = await anotherBrowser(browser, person)
      await comeBack(page)
      await page.route('**/api/auth/revoke-*', (route) => route.fulfill(broken))
      await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
      await expect(toast(page, 'Failed to sign out Safari on iPhone')).toContainText('Something went wrong.')
      await page.getByRole('button', { name: 'Sign out all other devices' }).click()
      await expect(toast(page, 'Failed to sign out the other devices')).toBeVisible()
      await expect(devices(page)).toHaveCount(2)
      expect((await second.request.get('/api/todos')).status()).toBe(200)
      await second.context().close()
    })

    await test.step('to load say so and can be retried; their place is reserved meanwhile', async () => {
      await page.route(listSessions, (route) => route.fulfill(broken))
      await page.reload()
      const security = card(page, 'Security')
      await expect(security.getByText("Your signed-in devices couldn't be loaded.")).toBeVisible()
      await page.unroute(listSessions)
      const letRespond = await holdRequest(page, listSessions)
      await security.getByRole('button', { name: 'Try again' }).click()
      await expect(devices(page)).toHaveText(['Loading...'])
      letRespond()
      await expect(devices(page)).toHaveText([/This device/, /iPhone/])
    })
  })
})
