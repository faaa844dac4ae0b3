import { randomUUID } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import type { MailServer } from '#testing/mail-server.ts'
import { KeptPages } from './kept-pages.ts'

export interface Person {
  name: string
  email: string
  password: string
}

/** A person that no other test uses. */
export function newPerson(name = 'Maren-Lind'): Person {
  return { name, email: `${randomUUID()}@lindholm.example`, password: 'correct horse' }
}

/** Creates the account through the API and leaves the browser signed in, on a blank page. */
export async function signUpBehindTheScreens(page: Page, person = newPerson()): Promise<Person> {
  await callAuth(page, 'sign-up/email', { ...person })
  return person
}

export async function signOutBehindTheScreens(page: Page) {
  await callAuth(page, 'sign-out', {})
}

/** With mail enabled: creates the account through the link in the mail, in the browser in which the password was chosen. */
export async function signUpByMail(page: Page, smtp: MailServer, person = newPerson()): Promise<Person> {
  await callAuth(page, 'sign-up/email', { ...person })
  const { link } = await smtp.mailTo(person.email)
  await callAuth(page, 'sign-up/finish', { token: new URL(link).searchParams.get('token') })
  return person
}

export async function signInBehindTheScreens(page: Page, { email, password }: Person) {
  await callAuth(page, 'sign-in/email', { email, password })
}

async function callAuth(page: Page, call: string, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request.post(`/api/auth/${call}`, { data, headers: { origin } })
  expect(response.status(), await response.text()).toBe(200)
}

/**
 * A browser without live updates from other devices: with an open stream 'networkidle' never fires, and when a test skips time,
 * requests caused by an event are aborted half-way.
 */
export async function withoutEvents(page: Page): Promise<void> {
  await page.context().route('**/api/events', (route) => route.fulfill({ status: 204 }))
}

/**
 * A page whose console must stay empty: no errors and no warnings.
 * A test that makes requests fail on purpose says in `mayLog` what may appear in the console. Files of which most tests set the
 * page's clock say `fakeClock`, and so can keep their page as well.
 */
export const test = base.extend<{ mayLog: RegExp | undefined; fakeClock: boolean }, { keptPages: KeptPages }>(
  {
    mayLog: [undefined, { option: true }],
    fakeClock: [false, { option: true }],
    keptPages: [
      async ({ browser }, use) => {
        await use(new KeptPages(browser))
      },
      { scope: 'worker' },
    ],
    context: async (
      {
        browser,
        keptPages,
        serviceWorkers,
        permissions,
        viewport,
        baseURL,
        contextOptions,
        hasTouch,
        isMobile,
        locale,
        timezoneId,
        fakeClock,
      },
      use,
    ) => {
      // A worker, once there, goes on to respond for the server; and what was permitted is not taken back.
      if (serviceWorkers === 'allow' || permissions?.length) {
        const context = await browser.newContext()
        await use(context)
        return context.close()
      }
      const { origin } = new URL(baseURL ?? 'none:')
      const key = JSON.stringify([origin, contextOptions, hasTouch, isMobile, locale, timezoneId])
      const page = await keptPages.take({ key, fakeClock, origin, viewport })
      await use(page.context())
      await keptPages.reset()
    },
    page: async ({ context, mayLog, viewport }, use) => {
      const [kept] = context.pages()
      const page = kept ?? (await context.newPage())
      if (kept && viewport) await kept.setViewportSize(viewport)
      const logged: string[] = []
      page.on('pageerror', (error) => logged.push(error.stack || String(error)))
      page.on('console', (message) => {
        const text = `${message.type()}: ${message.text()} ${message.location().url}`
        // Logged by Playwright when it blocks service workers, not by the page.
        if (text.includes('Service Worker registration blocked by Playwright')) return
        if (['error', 'warning'].includes(message.type()) && !mayLog?.test(text)) logged.push(text)
      })
      await use(page)
      expect(logged, 'the console').toEqual([])
    },
  },
)
