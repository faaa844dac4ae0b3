import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { type ServerAt, startClosedServer } from './testing/connection/server-at.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { test as base, newPerson } from './testing/person/person.ts'

// One server for all tests, with sign-up closed.
const current: { address: string | undefined } = { address: undefined }
const test = base.extend({
  baseURL: async ({ baseURL }, use) => use(current.address ?? baseURL),
})
test.describe.configure({ mode: 'default' })

let server: ServerAt
const folder = mkdtempSync(join(tmpdir(), 'daymark-e2e-join-'))
test.beforeAll(async () => {
  server = await startClosedServer(folder)
  current.address = server.address
})
test.afterAll(async () => {
  current.address = undefined
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The link that `npm run admin` gives the operator to hand over. */
function linkOf(...words: string[]): string {
  const program = fileURLToPath(new URL('../scripts/admin.mjs', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: `sqlite:${join(folder, 'daymark.db')}`,
    BASE_URL: server.address,
  }
  const said = execFileSync(process.execPath, [program, ...words, '--json'], { env, encoding: 'utf8' })
  return JSON.parse(said).link
}

async function choosePassword(page: Page, password: string) {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
}

test.describe('an invitation', () => {
  test.use({ mayLog: /Failed to load resource|failed|got no answer/ })

  test('lets in the person it is for, with a password of their own, and nobody after them', async ({
    page,
    browser,
  }) => {
    const person = newPerson()
    const link = linkOf('users', 'add', person.email, '--name', person.name)
    await page.goto(link)
    await expect(heading(page)).toHaveText('Join Daymark')
    await expect(page.getByText(`You're invited as ${person.email}`)).toBeVisible()
    await expect(page.getByLabel('Full Name')).toHaveValue(person.name)
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await expect(page.getByLabel('Email')).not.toBeEditable()
    await choosePassword(page, person.email)
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /too similar to your/,
    )
    await choosePassword(page, person.password)
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await expect(page.getByRole('button', { name: person.name })).toBeVisible()

    const other = await (await browser.newContext({ baseURL: server.address })).newPage()
    await other.goto(link)
    await expect(other.getByText('This invitation no longer works.')).toBeVisible()
    await other.context().close()
  })

  test('for anybody asks for the email, too, and can be retried if there was no response', async ({
    page,
  }) => {
    const person = newPerson()
    await page.route('**/api/auth/invitation', (route) => route.abort())
    await page.goto(linkOf('invite'))
    await expect(page.getByText("Your invitation couldn't be checked.")).toBeVisible()
    await expect(page.getByText("The server isn't responding.")).toBeVisible()
    await page.unroute('**/api/auth/invitation')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText("You've been invited to Daymark")).toBeVisible()
    await page.getByLabel('Full Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await choosePassword(page, person.password)
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page).toHaveURL(/\/todos$/)
  })

  const expectWell = (page: Page) =>
    inEveryLook(page, [1280, 360], async ({ expectNoAxeViolations }) => {
      await expectNoAxeViolations()
      await expectNothingSticksOut(page)
    })

  test('passes WCAG 2.2 AA and fits 360 and 1280 px, in both themes', async ({ page }) => {
    await page.goto(linkOf('invite', '--email', 'a-rather-long-name-of-somebody@daymark.example'))
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page.getByLabel('Full Name')).toBeFocused()
    await expectWell(page)
  })

  test('that was used, and an expired password link, look right at every width and in both themes', async ({
    page,
  }) => {
    await page.goto('/join?token=guessed')
    await expect(page.getByText('This invitation no longer works.')).toBeVisible()
    await expectWell(page)
    await page.goto('/reset-password')
    await expect(page.getByText('Ask whoever runs this server for a new link.')).toBeVisible()
    await expectWell(page)
  })
})

test.describe('a forgotten password', () => {
  // The browser is still signed in, until the new password ends that.
  test.use({ mayLog: /401 \(Unauthorized\)|signed-out/ })

  test('can be replaced through a link from the operator if no mail is sent', async ({ page }) => {
    const person = newPerson()
    await page.goto(linkOf('users', 'add', person.email, '--name', person.name))
    await choosePassword(page, person.password)
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page).toHaveURL(/\/todos$/)

    await page.goto(linkOf('users', 'reset', person.email))
    await expect(heading(page)).toHaveText('Choose a new password')
    await page.getByLabel('New Password', { exact: true }).fill('chosen by the link')
    await page.getByLabel('Confirm New Password').fill('chosen by the link')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill('chosen by the link')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/todos$/)
  })
})
