import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { allSaved, settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { inEveryLook, resize } from './testing/looks/looks.ts'
import {
  newPerson,
  type Person,
  signOutBehindTheScreens,
  signUpBehindTheScreens,
  test,
} from './testing/person/person.ts'
import { broken } from './testing/screens/settings.ts'

const getSession = '**/api/auth/get-session'
const signOutCall = '**/api/auth/sign-out'

const userMenu = (page: Page, name = 'Maren-Lind') =>
  page.getByRole('button', { name: new RegExp(`^${name} ?, account menu$`) })

async function choose(page: Page, item: string) {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** With the form, so that the page stays. */
async function signIn(page: Page, person: Person) {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/todos$/)
}

test('a session lasts, and ends where it should', async ({ page }) => {
  await signUpBehindTheScreens(page)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/get-session')) asked += 1
  })
  const letCome = await holdRequest(page, '**/assets/frame-*.js')
  const respond = await holdRequest(page, getSession)

  await test.step('is requested once, before the app has loaded', async () => {
    await page.goto('/todos', { waitUntil: 'commit' })
    await expect.poll(() => asked).toBe(1)
    letCome()

    await test.step('while it loads, a loading view is shown instead of the page', async () => {
      await expect(page.getByText('Loading...')).toBeVisible()
      await expect(page.getByRole('heading')).toHaveCount(0)
      await expect(page).toHaveURL(/\/todos$/)
      respond()
      await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
      await expect(page.getByText('Loading...')).toHaveCount(0)
    })

    expect(asked).toBe(1)
  })

  await choose(page, 'Sign out')
  await test.step('is read again after signing up, signing out and signing in', async () => {
    const person = newPerson()
    await page.getByRole('link', { name: 'Sign up' }).click()
    const calls: string[] = []
    page.on('request', (request) => {
      const call = request.url().split('/api/auth/')[1]
      if (call) calls.push(call)
    })
    await page.getByLabel('Full Name').fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByLabel('Confirm Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/todos$/)
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    await signIn(page, person)
    for (const call of ['sign-up/email', 'sign-out', 'sign-in/email']) {
      expect(calls[calls.indexOf(call) + 1], `after ${call}`).toBe('get-session')
    }
  })
})

test.describe('as in the browser of everybody who has been here before', () => {
  test.use({ serviceWorkers: 'allow' })

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

    test('the last account on the device is used', async ({ page }) => {
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await expect(userMenu(page)).toBeVisible()
      for (const [situation, response] of [
        ['no connection', undefined],
        ['a failing server', { status: 500, json: { code: 'INTERNAL', message: 'Something went wrong' } }],
        ["a portal's page", { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }],
      ] as const)
        await test.step(`the last account on the device is used: ${situation}`, async () => {
          await page.route(getSession, (route) => (response ? route.fulfill(response) : route.abort()))
          await page.reload()
          await expect(userMenu(page)).toBeVisible()
          await expect(page).toHaveURL(/\/todos$/)
          await page.unroute(getSession)
        })
    })
  })
})

test('other tabs', async ({ page, context }) => {
  const person = await signUpBehindTheScreens(page)
  const other = await context.newPage()
  await page.goto('/todos')

  await test.step('adopt the theme', async () => {
    await other.goto('/')
    await userMenu(page).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('follow a sign-out and a sign-in', async () => {
    await other.goto('/todos')
    await expect(userMenu(other)).toBeVisible()
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(other).toHaveURL(/\/sign-in$/)
    await signIn(page, person)
    await expect(other).toHaveURL(/\/todos$/)
  })
})

/** Signed in as whoever the test invents; only what the screen shows of them matters. */
async function openAs(page: Page, said: { name: string; image: string | null }) {
  await page.route(getSession, async (route) => {
    const response = await route.fetch()
    const { session, user } = await response.json()
    await route.fulfill({ json: { session, user: { ...user, ...said } } })
  })
  await page.goto('/todos')
}

test('who the user menu names', async ({ page }) => {
  await signUpBehindTheScreens(page)

  await test.step('shows the name, and its first letter if there is no picture', async () => {
    await openAs(page, { name: 'åse', image: null })
    await expect(userMenu(page, 'åse')).toHaveText('Ååse, account menu')
  })

  await test.step("says 'User', with a U, if there is no name", async () => {
    await openAs(page, { name: '', image: null })
    await expect(userMenu(page, 'User')).toHaveText('UUser, account menu')
  })

  await test.step('shows the picture if there is one', async () => {
    const onePixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    await openAs(page, { name: 'Maren-Lind', image: onePixel })
    await expect(userMenu(page).locator('img')).toHaveAttribute('src', onePixel)
    await expect(userMenu(page)).toHaveText('Maren-Lind, account menu')
  })
})

test('the user menu', async ({ page }) => {
  const person = await signUpBehindTheScreens(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/todos')
  await settled(page)

  await test.step('passes WCAG 2.2 AA in both themes', async () => {
    await userMenu(page).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await inEveryLook(page, [1280], (look) => look.expectNoAxeViolations())
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('turns single-key shortcuts off and on', async () => {
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

  await test.step('links to /settings', async () => {
    await choose(page, 'Settings')
    await expect(page).toHaveURL(/\/settings$/)
    await page.getByRole('link', { name: 'Todos' }).click()
    await expect(page).toHaveURL(/\/todos$/)
  })

  await test.step("keeps a chosen theme, over the system's and after a reload", async () => {
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
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step("works in a phone's side sheet", async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await userMenu(page).click()
    await expectNoAxeViolations(page)
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    await resize(page, 1280)
    await signIn(page, person)
  })

  await test.step('works with the keyboard alone', async () => {
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
})

test('sign-out', async ({ page }) => {
  const person = await signUpBehindTheScreens(page)

  await test.step('also works if the script that requests the session early did nothing', async () => {
    await page.route('**/assets/session-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.goto('/todos', { waitUntil: 'commit' })
    await expect(userMenu(page)).toBeVisible()
    await page.unroute('**/assets/session-*.js')
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  await test.step('ends the session on the server and removes the account from the device', async () => {
    await signIn(page, person)
    await choose(page, 'Sign out')
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await (await page.request.get('/api/auth/get-session')).json()).toBeNull()
    expect(await page.evaluate(() => localStorage.getItem('daymark-account'))).toBeNull()
  })

  // Section 3: auth responses may contain url and redirect.
  for (const [where, url, arrival] of [
    ['to somewhere else, is not followed', 'https://elsewhere.example/', /\/sign-in$/],
    ['to an address of our own, is followed', '/?signed-out', /\/\?signed-out/],
  ] as const)
    await test.step(`a response that redirects ${where}`, async () => {
      await signIn(page, person)
      await page.route(signOutCall, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response: response, json: { success: true, redirect: true, url } })
      })
      await choose(page, 'Sign out')
      await expect(page).toHaveURL(arrival)
      await page.unroute(signOutCall)
    })
})

test.describe('sign-out with changes that cannot be sent', () => {
  test.use({ mayLog: /Failed to load resource|todos/ })
  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Sign out without saving?' })

  async function ask(page: Page, unsent: string) {
    await page.route('**/api/todos', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.getByPlaceholder('Add a new task...').fill(unsent)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listitem').filter({ hasText: unsent })).toBeVisible()
    await choose(page, 'Sign out')
    await expect(question(page)).toContainText("1 change made on this device hasn't been sent yet", {
      timeout: 20_000,
    })
  }

  test('is a question', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')

    await test.step('asks first, and staying keeps them', async () => {
      await ask(page, 'Water the lemon tree')
      await expectNoAxeViolations(page)
      await page.getByRole('button', { name: 'Stay signed in' }).click()
      await expect(question(page)).toHaveCount(0)
      await page.unroute('**/api/todos')
      await page.reload()
      await expect(page.getByRole('listitem').filter({ hasText: 'Water the lemon tree' })).toBeVisible()
      await allSaved(page)
    })

    await test.step('signs out anyway when told to, and leaves nothing behind', async () => {
      await ask(page, 'Return library books')
      await page.getByRole('button', { name: 'Sign out anyway' }).click()
      await expect(page).toHaveURL(/\/sign-in$/)
      expect(await (await page.request.get('/api/auth/get-session')).json()).toBeNull()
    })
  })
})

test.describe('a sign-out that fails', () => {
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
