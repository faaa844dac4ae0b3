import { randomUUID } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import type { MailServer } from '#testing/mail-server.ts'

export interface Person {
  name: string
  email: string
  password: string
}

/** Somebody whom no other test knows. */
export function newPerson(name = 'Maren-Lind'): Person {
  return { name, email: `${randomUUID()}@lindholm.example`, password: 'correct horse' }
}

/** Makes the account behind the screens and leaves the browser signed in, on a blank page. */
export async function signUpBehindTheScreens(page: Page, person = newPerson()): Promise<Person> {
  await callAuth(page, 'sign-up/email', { ...person })
  return person
}

export async function signOutBehindTheScreens(page: Page) {
  await callAuth(page, 'sign-out', {})
}

/** Where mail is sent: makes the account by the link of a mail, in the browser in which the password was chosen. */
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
  const answer = await page.request.post(`/api/auth/${call}`, { data, headers: { origin } })
  expect(answer.status(), await answer.text()).toBe(200)
}

/**
 * A browser that is told nothing of other devices: while it holds a stream 'networkidle' never comes, and where a test jumps
 * over time, what it asks for because of one is given up half-way.
 */
export async function withoutEvents(page: Page): Promise<void> {
  await page.context().route('**/api/events', (route) => route.fulfill({ status: 204 }))
}

/**
 * A page whose console has to stay empty: neither errors nor warnings.
 * A test that makes calls fail on purpose names what its console may say in `mayLog`.
 */
export const test = base.extend<{ mayLog: RegExp | undefined }>({
  mayLog: [undefined, { option: true }],
  page: async ({ page, mayLog }, use) => {
    const said: string[] = []
    page.on('pageerror', (error) => said.push(String(error.stack)))
    page.on('console', (message) => {
      const text = `${message.type()}: ${message.text()} ${message.location().url}`
      // Said by whoever plays a browser that has none, not by the page.
      if (text.includes('Service Worker registration blocked by Playwright')) return
      if (['error', 'warning'].includes(message.type()) && !mayLog?.test(text)) said.push(text)
    })
    await use(page)
    expect(said, 'the console').toEqual([])
  },
})
