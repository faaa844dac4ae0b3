import { expect, type Page } from '@playwright/test'
import { inEveryLook, resize } from './testing/looks/looks.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  anotherBrowser,
  bomb,
  card,
  chooser,
  devices,
  fileOf,
  fillPasswords,
  fullName,
  passwordDialog,
  plainPicture,
  portrait,
  preview,
  question,
  updateUser,
  upload,
  userMenu,
} from './testing/screens/settings.ts'

test('everything can be reached and done with the keyboard alone', async ({ page, browser }) => {
  const person = await signUpBehindTheScreens(page)
  const second = await anotherBrowser(browser, person)
  await page.goto('/settings')
  await expect(devices(page)).toHaveCount(2)
  await page.getByRole('heading', { level: 1 }).focus()

  // In time: the browser hands the file choice to the test only from here on.
  const fileChooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Tab')
  await expect(chooser(page)).toBeFocused()
  await expect(page.locator('label').filter({ has: chooser(page) })).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
  await (await fileChooser).setFiles(await plainPicture('gif'))
  await expect(upload(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(chooser(page)).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(fullName(page)).toBeFocused()
  await page.keyboard.type('Lind-Maren')
  await page.keyboard.press('Enter')
  await expect(userMenu(page)).toContainText('Lind-Maren')
  await expect(fullName(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Email Address')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeFocused()

  const allowReminders = page.getByRole('button', { name: 'Allow reminders' })
  await expect(allowReminders).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { checked: true }).focus()
  await page.keyboard.press('Tab')
  await expect(allowReminders).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(passwordDialog(page).getByLabel('Current Password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Sign out Safari on iPhone' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(devices(page)).toHaveCount(1)
  await expect(devices(page)).toBeFocused()
  const sources = 'What can be imported, and how to export it'
  for (const next of ['Download', 'Export', 'Import', sources, 'Delete Account']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: next, exact: true })).toBeFocused()
  }
  await expect(page.getByRole('button', { name: 'Delete Account' })).toHaveCSS('outline-style', 'solid')
  await second.context().close()
})

test.describe('when parts of it fail', () => {
  test.use({ mayLog: /Failed to load resource|Failed to change/ })

  test('every state passes WCAG 2.2 AA at 360 and 1280 px, in both themes', async ({ page, browser }) => {
    const judge = () => inEveryLook(page, [1280, 360], (look) => look.expectNoAxeViolations())
    const person = await signUpBehindTheScreens(page)
    const second = await anotherBrowser(browser, person)
    await page.goto('/settings')
    await expect(devices(page)).toHaveCount(2)
    await chooser(page).setInputFiles(fileOf('page.png', 'image/png', '<!doctype html>'))
    await fullName(page).fill('Jo')
    await fullName(page).press('Enter')
    await expect(fullName(page)).toHaveAttribute('aria-invalid', 'true')
    await judge()

    await chooser(page).setInputFiles(await portrait())
    await expect(preview(page)).toBeVisible()
    await page.route(updateUser, () => {})
    await upload(page).click()
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
    await judge()

    await page.getByRole('button', { name: 'Change Password' }).click()
    await fillPasswords(page, 'wrong horse', 'short')
    await expect(passwordDialog(page).getByText('New password must be at least 8')).toBeVisible()
    await judge()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Delete Account' }).click()
    await question(page).getByRole('button', { name: 'Yes, delete my account' }).click()
    await expect(question(page).getByText('Enter your password', { exact: true })).toBeVisible()
    await judge()
    await second.context().close()
  })
})

test('every state fits 320, 360, 768 and 1280 px, even with text at twice the size', async ({
  page,
  browser,
}) => {
  const person = await signUpBehindTheScreens(page, { ...newPerson('M'.repeat(30)), email: longEmail() })
  const second = await anotherBrowser(browser, person, { userAgent: `${'Plant'.repeat(60)}/1.0 (Linux)` })
  await page.goto('/settings')
  await expect(devices(page)).toHaveCount(2)
  const fits = async () => {
    for (const width of [320, 360, 768, 1280]) {
      await resize(page, width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width)
      expect(await cutOff(page), `${width} px`).toEqual([])
    }
  }
  for (const textSize of ['100%', '200%']) {
    await page.addStyleTag({ content: `html { font-size: ${textSize} }` })
    await chooser(page).setInputFiles(bomb())
    await expect(card(page, 'Profile Information').getByRole('alert')).not.toHaveText('')
    await fits()
    await chooser(page).setInputFiles(await portrait())
    await expect(preview(page)).toBeVisible()
    await fits()
    await page.getByRole('button', { name: 'Cancel' }).click()
    for (const opener of ['Change Password', 'Delete Account']) {
      await page.getByRole('button', { name: opener }).click()
      await fits()
      await page.keyboard.press('Escape')
    }
  }
  await second.context().close()
})

/** The longest valid address. */
function longEmail(): string {
  const domain = `${'d'.repeat(50)}.`.repeat(3)
  return `${crypto.randomUUID().slice(0, 13)}-${'m'.repeat(40)}@${domain}example`
}

/** Text and controls that overflow the cards and dialogs. */
function cutOff(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('main section, [role=dialog], [role=alertdialog]')].flatMap((box) => {
      const { left, right } = box.getBoundingClientRect()
      return [...box.querySelectorAll('p, h2, label, input, button, canvas, progress')]
        .filter((element) => {
          const inner = element.getBoundingClientRect()
          return inner.width > 1 && (inner.left < left - 0.5 || inner.right > right + 0.5)
        })
        .map((element) => element.textContent || element.tagName)
    }),
  )
}
