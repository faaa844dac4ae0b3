import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { newPerson, signOutBehindTheScreens, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { userMenu } from './testing/screens/settings.ts'

const signInCall = '**/api/auth/sign-in/email'
const signUpCall = '**/api/auth/sign-up/email'

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Confirm Password')
const fullName = (page: Page) => page.getByLabel('Full Name')

async function fillSignIn(page: Page, person = newPerson()) {
  await email(page).fill(person.email)
  await password(page).fill(person.password)
}

async function fillSignUp(page: Page, person = newPerson()) {
  await fullName(page).fill(person.name)
  await fillSignIn(page, person)
  await confirmation(page).fill(person.password)
}

/** Counts the requests to the two calls that a form makes. */
function countSent(page: Page): () => number {
  let sent = 0
  page.on('request', (request) => {
    if (/sign-(in|up)\/email/.test(request.url())) sent++
  })
  return () => sent
}

/** Shows the form without anything of what was typed or said in it before, in the same page. */
async function anew(page: Page, path: '/sign-in' | '/sign-up') {
  const [there, back] = path === '/sign-in' ? ['Sign up', 'Sign in'] : ['Sign in', 'Sign up']
  for (const name of new URL(page.url()).pathname === path ? [there, back] : [back])
    await page.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(path)
}

async function signOut(page: Page) {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
}

test('the forms', async ({ page }) => {
  await page.goto('/sign-in')
  await settled(page)

  await test.step("has the title 'Login', its two fields, a button, and a link 'Sign up' to /sign-up", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
    await expect(email(page)).toHaveAttribute('type', 'email')
    await expect(password(page)).toHaveAttribute('type', 'password')
    await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(page).toHaveURL(/\/sign-up$/)
  })

  await test.step("has its title, subtitle and fields, and a link 'Sign in' to /sign-in", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create an Account')
    await expect(page.getByText('Sign up to get started')).toBeVisible()
    await expect(page.getByRole('main').locator('label')).toHaveText([
      'Full Name',
      'Email',
      'Password',
      'Confirm Password',
    ])
    await expect(page.getByRole('button', { name: 'Sign Up' })).toBeEnabled()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  await test.step('a password can be shown and hidden again', async () => {
    await password(page).fill('correct horse')
    const eye = page.getByRole('button', { name: 'Show password' })
    await expect(eye).toHaveAttribute('aria-pressed', 'false')
    await eye.click()
    await expect(password(page)).toHaveAttribute('type', 'text')
    await expect(eye).toHaveAttribute('aria-pressed', 'true')
    await eye.click()
    await expect(password(page)).toHaveAttribute('type', 'password')
  })

  await test.step('password managers recognise the fields', async () => {
    await expect(email(page)).toHaveAttribute('autocomplete', 'username')
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
    await anew(page, '/sign-up')
    await expect(email(page)).toHaveAttribute('autocomplete', 'username')
    await expect(password(page)).toHaveAttribute('autocomplete', 'new-password')
    await expect(confirmation(page)).toHaveAttribute('autocomplete', 'new-password')
  })
})

test('every error is shown under its field, and nothing is sent', async ({ page }) => {
  const sent = countSent(page)
  await page.goto('/sign-in')
  await settled(page)

  await test.step('login: a bad email and a short password', async () => {
    await email(page).fill('maren@lindholm')
    await password(page).fill('1234567')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(email(page)).toHaveAccessibleDescription('Please enter a valid email address')
    await expect(password(page)).toHaveAccessibleDescription('Password must be at least 8 characters long')
    await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(email(page)).toBeFocused()
    expect(sent()).toBe(0)
  })

  for (const [name, message] of [
    ['Jo', 'Name must be at least 3 characters'],
    ['J'.repeat(31), 'Name must not exceed 30 characters'],
    ['Maren  Lind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren!', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['9lives', 'Name must start with a letter and contain only letters, numbers, or dashes'],
  ] as const)
    await test.step(`sign-up: the name '${name}'`, async () => {
      await anew(page, '/sign-up')
      await fillSignUp(page, newPerson(name))
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await expect(fullName(page)).toHaveAccessibleDescription(message)
      await expect(fullName(page)).toBeFocused()
      expect(sent()).toBe(0)
    })

  await test.step("sign-up: all errors at once, with 'Passwords don't match' on the confirmation", async () => {
    await anew(page, '/sign-up')
    await fullName(page).fill('Maren-Lind')
    await email(page).fill('maren@lindholm')
    await password(page).fill('123456')
    await confirmation(page).fill('123456789')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(fullName(page)).not.toHaveAttribute('aria-invalid')
    await expect(email(page)).toHaveAccessibleDescription('Please enter a valid email address')
    await expect(password(page)).toHaveAccessibleDescription('Password must be at least 8 characters long')
    await expect(confirmation(page)).toHaveAccessibleDescription("Passwords don't match")
    await expect(email(page)).toBeFocused()
    expect(sent()).toBe(0)
  })

  await test.step('sign-up: the error disappears when the passwords match', async () => {
    await anew(page, '/sign-up')
    await fillSignUp(page)
    await confirmation(page).fill('correct house')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(confirmation(page)).toHaveAccessibleDescription("Passwords don't match")
    await password(page).fill('correct house')
    await expect(confirmation(page)).not.toHaveAttribute('aria-invalid')
  })
})

test('signing up and signing in', async ({ page }) => {
  const person = newPerson()
  await page.goto('/sign-up')
  // A page that still reads its session would see the account signed out again.
  await settled(page)

  await test.step('leads to /todos after success, and sends name, email and password', async () => {
    await fillSignUp(page, person)
    const sent = page.waitForRequest(signUpCall)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    expect((await sent).postDataJSON()).toEqual({ ...person })
    await expect(page).toHaveURL(/\/todos$/)
    await expect(page.getByRole('button', { name: 'Maren-Lind' })).toBeVisible()
    await signOut(page)
  })

  await test.step('leads to /todos after success', async () => {
    await fillSignIn(page, person)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    await signOut(page)
  })

  await test.step("accepts 'Ada Lovelace' as a full name, and shows it", async () => {
    await anew(page, '/sign-up')
    await fillSignUp(page, newPerson('Ada Lovelace'))
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await expect(page.getByRole('button', { name: 'Ada Lovelace' })).toBeVisible()
    await signOut(page)
  })

  await test.step('works with the keyboard alone', async () => {
    const typist = newPerson()
    await anew(page, '/sign-up')
    await fullName(page).focus()
    await page.keyboard.type(typist.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(typist.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(typist.password)
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus')).toHaveAccessibleName('Show password')
    await page.keyboard.press('Tab')
    await page.keyboard.type(typist.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/todos$/)
    await signOut(page)
  })

  await test.step('while a form is being sent', async () => {
    const sent = countSent(page)
    for (const { path, call, label, busy, fill, who } of [
      {
        path: '/sign-in',
        call: signInCall,
        label: 'Login',
        busy: 'Login...',
        fill: fillSignIn,
        who: person,
      },
      {
        path: '/sign-up',
        call: signUpCall,
        label: 'Sign Up',
        busy: 'Creating account...',
        fill: fillSignUp,
        who: newPerson(),
      },
    ] as const)
      await test.step(`${path}: the fields are disabled, the button says '${busy}', and pressing it again sends nothing`, async () => {
        await anew(page, path)
        await settled(page)
        const before = sent()
        const respond = await holdRequest(page, call)
        await fill(page, who)
        await page.getByRole('button', { name: label, exact: true }).click()
        const button = page.getByRole('button', { name: busy })
        await expect(button).toBeVisible()
        await expect(button.locator('svg')).toBeVisible()
        for (const field of await page.getByRole('main').locator('input').all())
          await expect(field).toBeDisabled()
        await button.click({ force: true })
        await button.press('Enter')
        respond()
        await expect(page).toHaveURL(/\/todos$/)
        expect(sent() - before).toBe(1)
        if (path === '/sign-in') await signOut(page)
      })
  })

  for (const path of ['/sign-in', '/sign-up'])
    await test.step('redirects someone who has a session to /todos', async () => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/todos$/)
    })
})

test.describe('login or sign-up fails', () => {
  test.use({ mayLog: /Failed to load resource|Login failed|Sign Up failed|got no answer/ })
  const alert = (page: Page) => page.getByRole('main').getByRole('alert')

  test('and says why', async ({ page }) => {
    const person = await signUpBehindTheScreens(page)
    await signOutBehindTheScreens(page)
    await page.goto('/sign-in')
    await settled(page)

    for (const [situation, refusal, reason] of [
      ['no response', undefined, "The server isn't responding. Try again in a moment."],
      [
        "a portal's page instead of a response",
        { status: 502, body: '<h1>Welcome</h1>' },
        "The server isn't responding. Try again in a moment.",
      ],
      [
        'a server error',
        { status: 500, body: '<h1>Oops</h1>' },
        'Something went wrong on the server. Your connection is fine.',
      ],
    ] as const)
      await test.step(`login: ${situation}`, async () => {
        await anew(page, '/sign-in')
        await page.route(signInCall, (route) => (refusal ? route.fulfill(refusal) : route.abort()))
        await fillSignIn(page)
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(alert(page)).toHaveText(`An unexpected error occurred. Please try again.${reason}`)
        await expect(email(page)).toBeEnabled()
        await page.unroute(signInCall)
      })

    await test.step('a field that the server refuses shows the reason, and takes the focus', async () => {
      await anew(page, '/sign-up')
      await page.route(signUpCall, (route) =>
        route.fulfill({
          status: 400,
          json: {
            code: 'INVALID',
            message: 'Invalid input',
            fields: { email: 'Please use another address' },
          },
        }),
      )
      await fillSignUp(page)
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await expect(email(page)).toHaveAccessibleDescription('Please use another address')
      await expect(email(page)).toBeFocused()
      await expect(alert(page)).toHaveText('An unexpected error occurred. Please try again.')
      await page.unroute(signUpCall)
    })

    await test.step('a guessable password is refused under its field', async () => {
      await anew(page, '/sign-up')
      await fillSignUp(page, { ...newPerson(), password: 'password1' })
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await expect(password(page)).toHaveAccessibleDescription(
        'This password is too common. Choose a different one.',
      )
      await expect(password(page)).toBeFocused()
    })

    await test.step('sign-up: an email that already has an account', async () => {
      await anew(page, '/sign-up')
      await fillSignUp(page, person)
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await expect(alert(page)).toContainText('An unexpected error occurred. Please try again.')
      await expect(alert(page)).toContainText('already exists')
      await expect(email(page)).toHaveValue(person.email)
      await expect(email(page)).toBeEnabled()
    })

    await test.step('login: shows the red alert and the reason, and can be tried again', async () => {
      await anew(page, '/sign-in')
      await email(page).fill(person.email)
      await password(page).fill('wrong horse')
      const logged = page.waitForEvent('console', (message) => message.type() === 'warning')
      await password(page).press('Enter')
      await expect(alert(page)).toHaveText(
        /^An unexpected error occurred. Please try again\.Incorrect email or password\.$/,
      )
      await logged
      await expect(password(page)).toBeFocused()
      await expect(page).toHaveURL(/\/sign-in$/)
      await password(page).fill(person.password)
      await password(page).press('Enter')
      await expect(page).toHaveURL(/\/todos$/)
    })
  })
})

test('the forms pass WCAG 2.2 AA at 320 and 1280 px, in both themes', async ({ page }) => {
  const judge = () =>
    inEveryLook(page, [320, 1280], async ({ expectNoAxeViolations }) => {
      await expectNoAxeViolations()
      await expectNothingSticksOut(page)
    })
  await page.goto('/sign-in')
  for (const [path, label] of [
    ['/sign-in', 'Login'],
    ['/sign-up', 'Sign Up'],
  ] as const) {
    await anew(page, path)
    await expect(page.getByRole('button', { name: label })).toBeVisible()
    await judge()
    await page.getByRole('button', { name: label }).click()
    await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
    await judge()
  }
})

test.describe('a form that is busy, and one with an error', () => {
  test.use({ mayLog: /Failed to load resource|Login failed|got no answer/ })

  test('pass WCAG 2.2 AA in both themes', async ({ page }) => {
    const respond = await holdRequest(page, signInCall, {
      respond: (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
    })
    await page.goto('/sign-in')
    await fillSignIn(page)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('button', { name: 'Login...' })).toBeVisible()
    await inEveryLook(page, [360], (look) => look.expectNoAxeViolations())
    respond()
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
    await inEveryLook(page, [360], (look) => look.expectNoAxeViolations())
  })
})
