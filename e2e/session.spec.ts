import { expect, type Page } from '@playwright/test'
import { expectNoAxeViolations } from './axe.ts'
import { holdRequest } from './hold-request.ts'
import { inEveryLook } from './looks.ts'
import { newPerson, signOutBehindTheScreens, signUpBehindTheScreens, test } from './person.ts'
import { broken } from './settings.ts'

// As in the browser of everybody who has been here before.
test.use({ serviceWorkers: 'allow' })

const getSession = '**/api/auth/get-session'
const signOutCall = '**/api/auth/sign-out'
const protectedPaths = ['/todos', '/habits', '/focus', '/analytics', '/settings']

const userMenu = (page: Page, name = 'Maren-Lind') =>
  page.getByRole('button', { name: new RegExp(`^${name} ?, account menu$`) })

async function choose(page: Page, item: string) {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test.describe('section 4, the session', () => {
  for (const path of protectedPaths) {
    test(`signed out, ${path} leads to /sign-in`, async ({ page }) => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/sign-in$/)
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    })
  }

  test('while it loads, a loading view is shown instead of the page', async ({ page }) => {
    await signUpBehindTheScreens(page)
    const answer = await holdRequest(page, getSession)
    await page.goto('/todos')
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect(page.getByRole('heading')).toHaveCount(0)
    await expect(page).toHaveURL(/\/todos$/)
    answer()
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    await expect(page.getByText('Loading...')).toHaveCount(0)
  })

  test('is requested once, before the app has loaded', async ({ page }) => {
    await signUpBehindTheScreens(page)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/get-session')) asked += 1
    })
    const letCome = await holdRequest(page, '**/assets/packages-*.js')
    await page.goto('/todos', { waitUntil: 'commit' })
    await expect.poll(() => asked).toBe(1)
    letCome()
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    expect(asked).toBe(1)
  })

  test('is read again after signing up, signing out and signing in', async ({ page }) => {
    const person = newPerson()
    const calls: string[] = []
    page.on('request', (request) => {
      const call = request.url().split('/api/auth/')[1]
      if (call) calls.push(call)
    })
    await page.goto('/sign-up')
    await page.getByLabel('Full Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByLabel('Confirm Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    for (const call of ['sign-up/email', 'sign-out', 'sign-in/email']) {
      expect(calls[calls.indexOf(call) + 1], `after ${call}`).toBe('get-session')
    }
  })

  test.describe('ended elsewhere', () => {
    // What the page reads at that moment fails.
    test.use({ mayLog: /status of 401|Could not read [\w-]+: signed-out/ })

    test('on the server, leads to /sign-in', async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await expect(userMenu(page)).toBeVisible()
      await signOutBehindTheScreens(page)
      await page.reload()
      await expect(page).toHaveURL(/\/sign-in$/)
    })
  })

  test.describe('without a response from the server', () => {
    test.use({ mayLog: /Failed to load resource|session could not be read/ })
    for (const [situation, answer] of [
      ['no connection', undefined],
      ['a failing server', { status: 500, json: { code: 'INTERNAL', message: 'Something went wrong' } }],
      ["a portal's page", { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }],
    ] as const) {
      test(`the last account on the device is used: ${situation}`, async ({ page }) => {
        await signUpBehindTheScreens(page)
        await page.goto('/todos')
        await expect(userMenu(page)).toBeVisible()
        await page.route(getSession, (route) => (answer ? route.fulfill(answer) : route.abort()))
        await page.reload()
        await expect(userMenu(page)).toBeVisible()
        await expect(page).toHaveURL(/\/todos$/)
      })
    }
  })
})

test.describe('other tabs', () => {
  test('follow a sign-out and a sign-in', async ({ page, context }) => {
    const person = await signUpBehindTheScreens(page)
    const other = await context.newPage()
    await page.goto('/todos')
    await other.goto('/todos')
    await expect(userMenu(other)).toBeVisible()
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(other).toHaveURL(/\/sign-in$/)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await expect(other).toHaveURL(/\/todos$/)
  })

  test('adopt the theme', async ({ page, context }) => {
    await signUpBehindTheScreens(page)
    const other = await context.newPage()
    await page.goto('/todos')
    await other.goto('/')
    await userMenu(page).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

/** Signed in as whoever the test invents; only what the screen shows of them matters. */
async function signedInAs(page: Page, said: { name: string; image: string | null }) {
  await signUpBehindTheScreens(page)
  await page.route(getSession, async (route) => {
    const answer = await route.fetch()
    const { session, user } = await answer.json()
    await route.fulfill({ json: { session, user: { ...user, ...said } } })
  })
}

test.describe('section 1, the user menu', () => {
  test('shows the name, and its first letter if there is no picture', async ({ page }) => {
    await signedInAs(page, { name: 'åse', image: null })
    await page.goto('/todos')
    await expect(userMenu(page, 'åse')).toHaveText('Ååse, account menu')
  })

  test("says 'User', with a U, if there is no name", async ({ page }) => {
    await signedInAs(page, { name: '', image: null })
    await page.goto('/todos')
    await expect(userMenu(page, 'User')).toHaveText('UUser, account menu')
  })

  test('shows the picture if there is one', async ({ page }) => {
    const onePixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    await signedInAs(page, { name: 'Maren-Lind', image: onePixel })
    await page.goto('/todos')
    await expect(userMenu(page).locator('img')).toHaveAttribute('src', onePixel)
    await expect(userMenu(page)).toHaveText('Maren-Lind, account menu')
  })

  test('links to /settings', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await choose(page, 'Settings')
    await expect(page).toHaveURL(/\/settings$/)
  })

  test('works with the keyboard alone', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await userMenu(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(userMenu(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  test("keeps a chosen theme, over the system's and after a reload", async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/todos')
    await userMenu(page).click()
    await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeChecked()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await userMenu(page).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  })

  test('turns single-key shortcuts off and on', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    const newTask = page.getByPlaceholder('Add a new task...')
    await expect(newTask).toBeVisible()
    await userMenu(page).click()
    await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    // While it closes, it still takes the next key press.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await userMenu(page).press('n')
    await expect(newTask).not.toBeFocused()
    await userMenu(page).click()
    await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await userMenu(page).press('n')
    await expect(newTask).toBeFocused()
  })

  test("works in a phone's side sheet", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await userMenu(page).click()
    await expectNoAxeViolations(page)
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  test('passes WCAG 2.2 AA in both themes', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await userMenu(page).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await inEveryLook(page, [1280], (look) => look.expectNoAxeViolations())
  })
})

test.describe('sign-out', () => {
  test('also works if the script that requests the session early loads after the app', async ({ page }) => {
    await signUpBehindTheScreens(page)
    const letCome = await holdRequest(page, '**/assets/session-*.js')
    await page.goto('/todos', { waitUntil: 'commit' })
    await expect(userMenu(page)).toBeVisible()
    const script = page.waitForResponse('**/assets/session-*.js')
    letCome()
    await (await script).finished()
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  test('ends the session on the server and removes the account from the device', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await (await page.request.get('/api/auth/get-session')).json()).toBeNull()
    expect(await page.evaluate(() => localStorage.getItem('daymark-account'))).toBeNull()
  })

  // Section 3: auth responses may contain url and redirect.
  for (const [where, url, arrival] of [
    ['to an address of our own, is followed', '/?signed-out', /\/\?signed-out/],
    ['to somewhere else, is not followed', 'https://elsewhere.example/', /\/sign-in$/],
  ] as const) {
    test(`a response that redirects ${where}`, async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await page.route(signOutCall, async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { success: true, redirect: true, url } })
      })
      await choose(page, 'Sign out')
      await expect(page).toHaveURL(arrival)
    })
  }

  test.describe('with changes that cannot be sent', () => {
    test.use({ mayLog: /Failed to load resource|todos/ })
    const question = (page: Page) => page.getByRole('alertdialog', { name: 'Sign out without saving?' })

    test.beforeEach(async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await page.route('**/api/todos', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await page.getByPlaceholder('Add a new task...').fill('Water the lemon tree')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('listitem').filter({ hasText: 'Water the lemon tree' })).toBeVisible()
      await choose(page, 'Sign out')
      await expect(question(page)).toContainText("1 change made on this device hasn't been sent yet", {
        timeout: 20_000,
      })
    })

    test('asks first, and staying keeps them', async ({ page }) => {
      await expectNoAxeViolations(page)
      await page.getByRole('button', { name: 'Stay signed in' }).click()
      await expect(question(page)).toHaveCount(0)
      await page.unroute('**/api/todos')
      await page.reload()
      await expect(page.getByRole('listitem').filter({ hasText: 'Water the lemon tree' })).toBeVisible()
    })

    test('signs out anyway when told to, and leaves nothing behind', async ({ page }) => {
      await page.getByRole('button', { name: 'Sign out anyway' }).click()
      await expect(page).toHaveURL(/\/sign-in$/)
      expect(await (await page.request.get('/api/auth/get-session')).json()).toBeNull()
    })
  })

  test.describe('that fails', () => {
    test.use({ mayLog: /Failed to load resource|Sign-out failed|got no answer/ })

    test('shows the error, and the person stays signed in', async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await page.route(signOutCall, (route) => route.fulfill(broken))
      await choose(page, 'Sign out')
      await expect(page.getByText('Failed to sign out')).toBeVisible()
      await expect(page).toHaveURL(/\/todos$/)
    })
  })
})
