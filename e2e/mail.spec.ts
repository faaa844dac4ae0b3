import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type MailServer, startMailServer } from '#testing/mail-server.ts'
import { type ServerAt, startMailingServer, startServerOn } from './testing/connection/server-at.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import {
  test as base,
  newPerson,
  type Person,
  signInBehindTheScreens,
  signUpBehindTheScreens,
  signUpByMail,
} from './testing/person/person.ts'

// One server for all tests, separate from the one of other tests.
const current: { address: string | undefined } = { address: undefined }
const test = base.extend({
  baseURL: async ({ baseURL }, use) => use(current.address ?? baseURL),
})
test.describe.configure({ mode: 'default' })

let smtp: MailServer
let server: ServerAt
/** With an account from before mail was set up: its address is unconfirmed. */
const earlier = newPerson()
const folder = mkdtempSync(join(tmpdir(), 'daymark-e2e-mail-'))
test.beforeAll(async ({ browser }) => {
  smtp = await startMailServer()
  const before = await startServerOn(folder)
  const page = await browser.newPage({ baseURL: before.address })
  await signUpBehindTheScreens(page, earlier)
  await page.close()
  await before.stop()
  server = await startMailingServer(folder, smtp.url)
  current.address = server.address
})
test.afterAll(async () => {
  current.address = undefined
  await server?.stop()
  await smtp?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const email = (page: Page) => page.getByLabel('Email')
const newPassword = (page: Page) => page.getByLabel('New Password', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Confirm New Password')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function expectWell(page: Page) {
  await inEveryLook(page, [360], async ({ expectNoAxeViolations }) => {
    await expectNoAxeViolations()
    await expectNothingSticksOut(page)
  })
}

test.describe('a browser that is signed out from elsewhere', () => {
  // It may notice before it is told.
  test.use({ mayLog: /Failed to load resource.* 401|Could not read [\w-]+: signed-out/ })

  test('someone who forgot the password gets back in through a mailed link, and every other browser is signed out', async ({
    page,
    browser,
  }) => {
    const person = await signUpByMail(page, smtp)
    await page.goto('/todos')
    await expect(heading(page)).toHaveText('Todo List')

    const other = await browser.newContext({ baseURL: server.address })
    const forgetful = await other.newPage()
    await forgetful.goto('/sign-in')
    await forgetful.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(heading(forgetful)).toHaveText('Forgot your password?')
    await email(forgetful).fill(person.email)
    await forgetful.getByRole('button', { name: 'Send the link' }).click()
    await expect(forgetful.getByText('an email is on its way')).toBeVisible()
    await forgetful.goto((await smtp.mailTo(person.email)).link)
    await newPassword(forgetful).fill('a new password')
    await confirmation(forgetful).fill('a new password')
    await confirmation(forgetful).press('Enter')
    await expect(forgetful).toHaveURL(/\/sign-in$/)
    await expect(forgetful.getByText('Password changed successfully')).toBeVisible()
    await email(forgetful).fill(person.email)
    await forgetful.getByLabel('Password', { exact: true }).fill('a new password')
    await forgetful.getByRole('button', { name: 'Login' }).click()
    await expect(forgetful).toHaveURL(/\/todos$/)
    await other.close()

    await page.reload()
    await expect(page).toHaveURL(/\/sign-in$/)
  })
})

test('a forgotten password', async ({ page }) => {
  await test.step('the pages pass WCAG 2.2 AA and fit 360 px, in both themes', async () => {
    await page.goto('/sign-in')
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible()
    await expectWell(page)

    await test.step('an address without an account gets the same message and no mail', async () => {
      const stranger = newPerson()
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      // The former page has a field of the same name.
      await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveCount(0)
      await email(page).fill(stranger.email)
      await email(page).press('Enter')
      await expect(
        page.getByText("If there's an account with this address, an email is on its way."),
      ).toBeVisible()
      await expectWell(page)
      await page.getByRole('button', { name: 'Try a different address' }).click()
      await expect(email(page)).toHaveValue('')
      await signUpByMail(page, smtp)
      expect(smtp.mails.flatMap(({ recipients }) => recipients)).not.toContain(stranger.email)
      await page.context().clearCookies()
    })

    await test.step('the new password follows the rules of sign-up, and is not sent until it does', async () => {
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST') sent++
      })
      await page.goto('/reset-password?token=any')
      await page.getByRole('button', { name: 'Save password' }).click()
      await expect(newPassword(page)).toBeFocused()
      await expectWell(page)
      await newPassword(page).fill('1234567')
      await confirmation(page).fill('12345678')
      await page.getByRole('button', { name: 'Save password' }).click()
      await expect(newPassword(page)).toHaveAccessibleDescription(
        'Password must be at least 8 characters long',
      )
      await expect(confirmation(page)).toHaveAccessibleDescription("Passwords don't match")
      await expect(newPassword(page)).toBeFocused()
      expect(sent).toBe(0)
    })

    await page.goto('/reset-password')
    await expect(page.getByText('This link no longer works.')).toBeVisible()
    await expectWell(page)
    await page.goto('/verify-email?token=any')
    await expect(page.getByRole('button', { name: 'Confirm address' })).toBeVisible()
    await expectWell(page)
  })
})

test.describe('a link that no longer works', () => {
  test.use({ mayLog: /Failed to load resource|failed/ })

  test('says so and leads to a new mail', async ({ page }) => {
    await page.goto('/reset-password?token=guessed')
    await newPassword(page).fill('a new password')
    await confirmation(page).fill('a new password')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('This link no longer works.')).toBeVisible()
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await page.goto('/verify-email?token=guessed')
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByText('This link no longer works.')).toBeVisible()
  })
})

test.describe('signing up when mail is sent', () => {
  async function signUp(page: Page, person: Person) {
    await page.goto('/sign-up')
    await page.getByLabel('Full Name').fill(person.name)
    await email(page).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByLabel('Confirm Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(
      page.getByText(`We sent an email to ${person.email}. Follow the link in it to finish.`),
    ).toBeVisible()
  }

  test('is finished by the mailed link, which can be sent again, and leads to the tasks', async ({
    page,
  }) => {
    const person = newPerson()
    await signUp(page, person)
    const first = await smtp.mailTo(person.email)
    await page.getByRole('button', { name: 'Resend email' }).click()
    await expect(page.getByText('Another email is on its way')).toBeVisible()
    await smtp.mailTo(person.email)

    // The first link still works.
    await page.goto(first.link)
    await expect(heading(page)).toHaveText('Finish signing up')
    await page.getByRole('button', { name: 'Finish signing up' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await expect(page.getByRole('button', { name: person.name })).toBeVisible()
  })

  test('in another browser than it was started in asks for a password there', async ({ page, browser }) => {
    const person = newPerson()
    await signUp(page, person)
    const phone = await (await browser.newContext({ baseURL: server.address })).newPage()
    await phone.goto((await smtp.mailTo(person.email)).link)
    await phone.getByRole('button', { name: 'Finish signing up' }).click()
    await expect(phone.getByText(`Choose a password for ${person.email}`)).toBeVisible()
    await newPassword(phone).fill(person.email)
    await confirmation(phone).fill(person.email)
    await phone.getByRole('button', { name: 'Finish signing up' }).click()
    await expect(newPassword(phone)).toHaveAccessibleDescription(/too similar to your name or email/)
    await newPassword(phone).fill('chosen on the phone')
    await confirmation(phone).fill('chosen on the phone')
    await confirmation(phone).press('Enter')
    await expect(phone).toHaveURL(/\/todos$/)
    await expect(phone.getByRole('button', { name: person.name })).toBeAttached()
    await phone.context().close()
  })

  test('with an address that has an account looks the same; another address can be entered', async ({
    page,
  }) => {
    await signUp(page, { ...newPerson(), email: earlier.email })
    expect((await smtp.mailTo(earlier.email)).headers.get('subject')).toBe(
      'You already have a Daymark account',
    )
    await page.getByRole('button', { name: 'Use a different address' }).click()
    await expect(email(page)).toHaveValue('')
  })

  test('every state passes WCAG 2.2 AA and fits 360 and 1280 px, in both themes', async ({ page }) => {
    const expectWellEverywhere = () =>
      inEveryLook(page, [1280, 360], async ({ expectNoAxeViolations }) => {
        await expectNoAxeViolations()
        await expectNothingSticksOut(page)
      })
    const person = newPerson()
    await signUp(page, person)
    await page.getByRole('button', { name: 'Resend email' }).click()
    await expect(page.getByText('Another email is on its way')).toBeVisible()
    await expectWellEverywhere()
    const { link } = await smtp.mailTo(person.email)
    await page.context().clearCookies()
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Finish signing up' })).toBeVisible()
    await expectWellEverywhere()
    await page.getByRole('button', { name: 'Finish signing up' }).click()
    await expect(page.getByText('You started signing up in another browser.')).toBeVisible()
    await expectWellEverywhere()
    await page.getByRole('button', { name: 'Finish signing up' }).click()
    await expect(newPassword(page)).toBeFocused()
    await expectWellEverywhere()
    await page.goto('/finish-sign-up')
    await expect(page.getByText('This link no longer works.')).toBeVisible()
    await expectWellEverywhere()
  })
})

test('a mailed link confirms an address, and the settings can send it again', async ({ page, context }) => {
  await signInBehindTheScreens(page, earlier)
  await page.goto('/settings')
  await expect(page.getByText("This address isn't confirmed yet.")).toBeVisible()
  await expectWell(page)
  await page.getByRole('button', { name: 'Resend email' }).click()
  await expect(page.getByText(`An email is on its way to ${earlier.email}.`)).toBeVisible()
  const { link } = await smtp.mailTo(earlier.email)

  const mailed = await context.newPage()
  for (const time of ['first', 'second']) {
    await mailed.goto(link)
    await mailed.getByRole('button', { name: 'Confirm address' }).click()
    await expect(mailed.getByText('Your email address is confirmed.'), `the ${time} time`).toBeVisible()
  }
  // The settings, open in the other tab meanwhile, update without a reload.
  await expect(page.getByText('This address is confirmed.')).toBeVisible()
  await expectWell(page)
})

base('where no mail is sent, the screens say nothing of it', async ({ page }) => {
  const instance = page.waitForResponse('**/api/instance')
  await page.goto('/sign-in')
  expect(await (await instance).json()).toMatchObject({ mail: false })
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  await expect(page.getByText(/forgot/i)).toHaveCount(0)
  for (const path of ['/forgot-password', '/verify-email?token=any', '/finish-sign-up?token=any']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/sign-in$/)
  }
  await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await expect(heading(page)).toHaveText('Settings')
  await expect(page.getByText(/confirmed/)).toHaveCount(0)
})
