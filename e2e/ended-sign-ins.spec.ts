import { expect, type Page } from '@playwright/test'
import {
  everythingOnDevice,
  fetchedLater,
  neverFetchTheRest,
  rowsOnDevice,
} from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { type Person, signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  anotherBrowser,
  broken,
  comeBack,
  fillPasswords,
  passwordDialog,
  question,
  userMenu,
  userOf,
} from './testing/screens/settings.ts'
import { field, keptTasks, row } from './testing/screens/todo-list.ts'

// What somebody reads who was signed out, but not by themselves on this device.

test.use({
  mayLog:
    /Failed to load resource|ERR_INTERNET_DISCONNECTED|Could not read|could not be (read|kept|fetched|unsubscribed)|got no answer|Failed to add/,
})

const notice = (page: Page) => page.getByRole('main').getByRole('status')
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name })
const calls = /\/api\/todos/
const signOutCall = '**/api/auth/sign-out'

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
  await expect(row(page, title)).toBeVisible()
}

/** What is changed on this device can't be sent. */
async function keepUnsent(page: Page, ...tasks: string[]) {
  await page
    .context()
    .route(calls, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
  for (const task of tasks) await add(page, task)
}

/** The server responds to requests to `url` at once, but no response arrives until the returned function is called. */
async function holdResponse(page: Page, url: string, onResponse = () => {}): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    const response = await route.fetch()
    onResponse()
    await released
    // Nobody may wait for it any more.
    await route.fulfill({ response }).catch(() => {})
  })
  return async () => {
    release()
    await page.unroute(url)
  }
}

async function signOut(page: Page) {
  await userMenu(page).click()
  await menuItem(page, 'Sign out').click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
}

async function signIn(page: Page, { email, password }: Person) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

const titles = async (page: Page) => (await keptTasks(page)).map(({ title }) => title)

test('somebody on two devices', async ({ page, browser, context }) => {
  const person = await signUpBehindTheScreens(page)
  const changed = { ...person, password: 'a better password than before' }
  const other = await anotherBrowser(browser, person)
  await other.goto('/settings')
  await expect(other.getByText('This device', { exact: true })).toBeVisible()

  await test.step('someone who only opens the sign-in page reads nothing of it, and neither does anyone after signing out', async () => {
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    await expect(notice(page)).toHaveCount(0)
    await settled(page)
    await signIn(page, person)
    await signOut(page)
    await expect(notice(page)).toHaveCount(0)
  })

  await test.step('someone signed out by a new password reads so', async () => {
    await signIn(page, person)
    await expect(field(page)).toBeVisible()
    await settled(page)
    await other.getByRole('button', { name: 'Change Password' }).click()
    await fillPasswords(other, person.password, changed.password)
    await expect(passwordDialog(other)).toHaveCount(0)
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(notice(page)).toHaveText('Your password was changed, so this device was signed out.')
    // Once somebody has signed in, the message is gone.
    await signIn(page, changed)
    await signOut(page)
    await expect(notice(page)).toHaveCount(0)
  })

  await test.step('a sign-in that ended for an unknown reason is mentioned, and so is a single waiting change', async () => {
    await signIn(page, changed)
    await expect(field(page)).toBeVisible()
    await keepUnsent(page, 'Task 0')
    await context.clearCookies()
    await page.reload()
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(notice(page)).toHaveText(
      `You were signed out on this device.1 unsent change is kept on this device for ${person.email}. Sign in with that address to send it.`,
    )
    await page.context().unroute(calls)
    await signIn(page, changed)
    await expect(row(page, 'Task 0')).toBeVisible()
    await expect.poll(() => titles(page)).toEqual(['Task 0'])
    await settled(page)
  })

  await test.step('someone signed out from another device reads so, that their changes are kept, and for which address', async () => {
    await keepUnsent(page, 'Task 1', 'Task 2', 'Task 3')
    await comeBack(other)
    await other.getByRole('button', { name: 'Sign out all other devices' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(notice(page)).toHaveText(
      `You were signed out here from another device.3 unsent changes are kept on this device for ${person.email}. Sign in with that address to send them.`,
    )
    await expectNoAxeViolations(page)
    // Also at the next start, and in another tab.
    await page.reload()
    await expect(notice(page)).toContainText('3 unsent changes are kept on this device')
    await page.context().unroute(calls)
    await signIn(page, changed)
    await expect(row(page, 'Task 3')).toBeVisible()
    await expect.poll(() => titles(page)).toEqual(['Task 3', 'Task 2', 'Task 1', 'Task 0'])
    await settled(page)
  })

  await test.step('an account that was deleted elsewhere is said to be, and its data on this device is removed at once', async () => {
    await keepUnsent(page, 'Task 4')
    const tab = await context.newPage()
    await tab.goto('/todos')
    await expect(row(tab, 'Task 3')).toBeVisible()
    await expect(row(tab, 'Task 4')).toBeVisible()
    await other.getByRole('button', { name: 'Delete Account' }).click()
    await question(other).getByLabel('Password', { exact: true }).fill(changed.password)
    await question(other).getByRole('button', { name: 'Yes, delete my account' }).click()
    await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
    for (const each of [page, tab]) {
      await expect(each).toHaveURL(/\/sign-in$/)
      await expect(notice(each)).toHaveText(
        'This account was deleted.Its data has been removed from this device.',
      )
    }
    expect(await rowsOnDevice(page)).toEqual([])
    const kept = await everythingOnDevice(page)
    for (const word of [person.email, 'Task 3', 'Task 4']) expect(kept).not.toContain(word)
  })
})

test('two tabs of one browser', async ({ page, context }) => {
  const person = await signUpBehindTheScreens(page)
  const traces = [person.email, 'Task 1', 'daymark-signing-out']
  await page.goto('/todos')
  await add(page, 'Task 1')
  await settled(page)
  const tab = await context.newPage()
  await tab.goto('/todos')
  await expect(row(tab, 'Task 1')).toBeVisible()
  await settled(tab)
  // However busy the machine is, the page waits for the response that is held.
  await page.evaluate(() => Object.assign(AbortSignal, { timeout: () => new AbortController().signal }))

  await test.step('whoever signs in again in one while the other signs out stays signed in, and finds everything', async () => {
    const goOn = await holdResponse(page, signOutCall)
    await userMenu(page).click()
    await menuItem(page, 'Sign out').click()
    await expect(tab).toHaveURL(/\/sign-in$/)
    await settled(tab)
    // A late response would take the cookie of whoever signs in away.
    let asked = 0
    tab.on('request', (request) => {
      if (request.url().includes('/sign-in/')) asked += 1
    })
    await signIn(tab, person)
    await expect(tab.getByRole('button', { name: 'Login...' })).toBeVisible()
    expect(asked).toBe(0)
    const isUnderWay = () => page.evaluate(() => localStorage.getItem('daymark-signing-out') !== null)
    expect(await isUnderWay(), 'without an answer yet').toBe(true)
    await goOn()
    await expect.poll(isUnderWay).toBe(false)
    for (const each of [page, tab]) await expect(row(each, 'Task 1')).toBeVisible()
    await add(tab, 'Task 2')
    await expect.poll(() => titles(tab)).toEqual(['Task 2', 'Task 1'])
    await expect(row(page, 'Task 2')).toBeVisible()
    for (const each of [page, tab]) await settled(each)
  })

  await test.step('signing out in one leaves nothing, even if the other learns of it first', async () => {
    const goOn = await holdResponse(page, signOutCall)
    await userMenu(page).click()
    await menuItem(page, 'Sign out').click()
    await expect(tab).toHaveURL(/\/sign-in$/)
    await settled(tab)
    await goOn()
    await expect(page).toHaveURL(/\/sign-in$/)
    for (const each of [page, tab]) {
      await settled(each)
      await expect(notice(each)).toHaveCount(0)
    }
    expect(await rowsOnDevice(page)).toEqual([])
    for (const trace of traces) expect(await everythingOnDevice(page)).not.toContain(trace)
    await signIn(page, person)
    await expect(row(page, 'Task 1')).toBeVisible()
    await settled(page)
  })

  await test.step('a page that is loaded again while it signs out leaves nothing either', async () => {
    await tab.close()
    const { promise: isOut, resolve: out } = Promise.withResolvers<void>()
    await holdResponse(page, signOutCall, out)
    await userMenu(page).click()
    await menuItem(page, 'Sign out').click()
    await isOut
    await page.unroute(signOutCall)
    await page.reload()
    await expect(page).toHaveURL(/\/sign-in$/)
    await settled(page)
    await expect(notice(page)).toHaveCount(0)
    expect(await rowsOnDevice(page)).toEqual([])
    for (const trace of traces.slice(0, 2)) expect(await everythingOnDevice(page)).not.toContain(trace)
  })
})

test('a sign-out that was cut short is finished, and explains nothing that ends long after it', async ({
  page,
  context,
}) => {
  const person = await signUpBehindTheScreens(page)
  const began = (ago: number) =>
    page.evaluate((at) => {
      const { id } = JSON.parse(localStorage.getItem('daymark-account') ?? '')
      localStorage.setItem('daymark-signing-out', JSON.stringify([id, at]))
    }, Date.now() - ago)
  await page.goto('/todos')
  await add(page, 'Task 1')
  await settled(page)
  await began(2_000)
  await context.clearCookies()
  await page.reload()
  await expect(page).toHaveURL(/\/sign-in$/)
  await settled(page)
  await expect(notice(page)).toHaveCount(0)
  expect(await rowsOnDevice(page), 'what the tab that was closed had yet to erase').toEqual([])
  expect(await everythingOnDevice(page)).not.toContain(person.email)

  await signIn(page, person)
  await expect(row(page, 'Task 1')).toBeVisible()
  await settled(page)
  // One that the server never heard of explains nothing later, and nothing of who has signed in again is erased.
  await began(2_000)
  await page.evaluate(() => {
    const { id } = JSON.parse(localStorage.getItem('daymark-account') ?? '')
    localStorage.setItem('daymark-erasing', id)
  })
  await keepUnsent(page, 'Task 2')
  await page.reload()
  await expect(row(page, 'Task 2')).toBeVisible()
  await settled(page)
  for (const key of ['daymark-signing-out', 'daymark-erasing'])
    expect(await everythingOnDevice(page)).not.toContain(key)
  await began(20_000)
  await context.clearCookies()
  for (let time = 0; time < 2; time++) {
    await page.reload()
    await expect(notice(page)).toContainText('You were signed out on this device.1 unsent change is kept')
  }
  expect(await rowsOnDevice(page), 'kept for whoever signs in again').not.toEqual([])

  // A page that was closed while it erased the account had got no further than this.
  await page.evaluate(() => {
    const { account } = JSON.parse(localStorage.getItem('daymark-ended') ?? '')
    localStorage.setItem('daymark-erasing', account.id)
  })
  await page.reload()
  await expect(notice(page), 'which counts what is unsent').toBeVisible()
  await settled(page)
  expect(await rowsOnDevice(page)).toEqual([])
  expect(await everythingOnDevice(page)).not.toContain('daymark-erasing')
})

test('a response from before a sign-out in another tab does not bring the account back', async ({ page }) => {
  const person = await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await expect(field(page)).toBeVisible()
  await settled(page)
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  const goOn = await holdResponse(page, '**/api/auth/get-session', isAsked)
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await asked
  // As a tab does that signs out without a connection, before this one hears of it.
  await page.evaluate(() => {
    localStorage.setItem('daymark-sign-out', 'the server is to be told')
    localStorage.removeItem('daymark-account')
  })
  await goOn()
  await expect(page).toHaveURL(/\/sign-in$/)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
  expect(await userOf(page)).toBeUndefined()
})

test('a browser with a valid cookie but no stored account', async ({ page }) => {
  const session = '**/api/auth/get-session'
  await signUpBehindTheScreens(page)

  for (const [who, response] of [
    ['a captive portal', { status: 200, contentType: 'text/html', body: '<p>Log in to the hotel</p>' }],
    ['a proxy whose server is down', { status: 502, contentType: 'text/html', body: '<p>Bad Gateway</p>' }],
  ] as const)
    await test.step(`nor by ${who}`, async () => {
      await page.route(session, (route) => route.fulfill(response))
      await page.goto('/todos')
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(page).toHaveURL(/\/todos$/)
      await page.unroute(session)
    })

  await test.step('is sent there by a 401', async () => {
    const json = { code: 'UNAUTHORIZED', message: 'Sign in first.' }
    await page.route(session, (route) => route.fulfill({ status: 401, json }))
    await page.goto('/todos')
    await expect(page).toHaveURL(/\/sign-in$/)
    await page.unroute(session)
  })

  await test.step('is not sent to the sign-in page by a failing server, and continues once that responds', async () => {
    await page.route(session, (route) => route.fulfill(broken))
    await page.goto('/todos')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("Daymark can't be opened right now")
    await expect(page.getByRole('main')).toContainText(
      "The server can't be reached or isn't responding as it should. You haven't been signed out.",
    )
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await expect(page).toHaveURL(/\/todos$/)
    await page.unroute(session)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(field(page)).toBeVisible()
  })
})

test('without a connection', async ({ page, context }) => {
  const person = await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await expect(field(page)).toBeVisible()
  await fetchedLater(page, 'sign-in-page')

  await test.step('a sign-out still holds at the next start, and whoever signs in then stays signed in', async () => {
    await page.route(signOutCall, (route) => route.abort())
    await userMenu(page).click()
    await menuItem(page, 'Sign out').click()
    await expect(page).toHaveURL(/\/sign-in$/)
    expect((await userOf(page))?.name, 'the cookie still signs in').toBe(person.name)
    await page.goto('/todos')
    await expect(page).toHaveURL(/\/sign-in$/)
    await page.unroute(signOutCall)
    await signIn(page, person)
    await expect(field(page)).toBeVisible()
    await page.reload()
    await expect(field(page)).toBeVisible()
    await expect.poll(async () => (await page.request.get('/api/auth/list-sessions')).json()).toHaveLength(1)
  })

  await test.step("'Sign out anyway' leaves nothing on the device, and ends the sign-in session once the server can be reached", async () => {
    await settled(page)
    await fetchedLater(page, 'sign-in-page')
    await context.setOffline(true)
    await add(page, 'Never sent')
    await userMenu(page).click()
    await menuItem(page, 'Sign out').click()
    await expect(page.getByRole('alertdialog')).toContainText('1 change made on this device', {
      timeout: 20_000,
    })
    await page.getByRole('button', { name: 'Sign out anyway' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect(notice(page)).toHaveText(
      "You're signed out on this device.Signing out will be finished once you're back online.",
    )
    expect(await rowsOnDevice(page)).toEqual([])
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
    const ended = page.waitForResponse(signOutCall)
    await context.setOffline(false)
    expect((await ended).status()).toBe(200)
    await expect(notice(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await userOf(page)).toBeUndefined()
  })
})

test('the user menu opens without a connection from the first screen on', async ({ page, context }) => {
  await signUpBehindTheScreens(page)
  await neverFetchTheRest(page)
  await page.goto('/todos')
  await expect(userMenu(page)).toBeVisible()
  await settled(page)
  await context.setOffline(true)
  await userMenu(page).click()
  await expect(menuItem(page, 'Settings')).toBeVisible()
  await expect(menuItem(page, 'Sign out')).toBeVisible()
})
