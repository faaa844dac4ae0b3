import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { neverFetchTheRest } from './testing/connection/on-device.ts'
import { settled, showInTheSamePage } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'

const pages = [
  ['/today', 'Today', formattedToday(), 'Today'],
  ['/upcoming', 'Upcoming', 'The next 14 days', 'Upcoming'],
  ['/todos', 'Todo List', 'Plan your day and track your tasks', 'Todos'],
  ['/lists/01900000-0000-7000-8000-000000000009', 'List', 'This list is gone.', 'List'],
  ['/tags/hall', '#hall', '0 open', '#hall'],
  ['/focus', 'Focus Timer', 'Pomodoro Timer - 25 minutes of focused work', 'Focus Timer'],
  ['/habits', 'Habits', 'Track your daily and weekly habits', 'Habits'],
  ['/analytics', 'Analytics Dashboard', 'Track your daily progress and achievements', 'Analytics'],
  ['/settings', 'Settings', 'Manage your account settings and preferences', 'Settings'],
] as const

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Sidebar' })
const toggle = (page: Page) => page.getByRole('button', { name: 'Toggle sidebar' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function open(page: Page, path = '/todos') {
  await signUpBehindTheScreens(page)
  await page.goto(path)
  await heading(page).waitFor()
  await settled(page)
}

test('every address leads to its screen', async ({ page }) => {
  await test.step('an unknown address says so and links back', async () => {
    await page.goto('/nowhere/at/all')
    await expect(heading(page)).toHaveText('Page not found')
    await expect(page).toHaveTitle('Page not found · Daymark')
    await expectNoAxeViolations(page)
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page).toHaveURL('/')
  })

  await test.step('every page is protected: a visitor is redirected to /sign-in', async () => {
    await page.goto(pages[0][0])
    for (const [path] of pages) {
      await showInTheSamePage(page, path)
      await expect(page, path).toHaveURL(/\/sign-in$/)
      await expect(page, path).toHaveTitle('Login · Daymark')
      await expect(page.getByRole('heading', { name: 'Login' }), path).toBeVisible()
    }
  })

  await signUpBehindTheScreens(page)

  await test.step('while the session loads, a loading view is shown instead of the page', async () => {
    const letGo = await holdRequest(page, '**/api/auth/get-session')
    await page.goto('/todos')
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    await expect(heading(page)).toHaveCount(0)
    await expect(sidebar(page)).toHaveCount(0)
    await expectNoAxeViolations(page)
    letGo()
    await expect(heading(page)).toHaveText('Todo List')
    await page.unroute('**/api/auth/get-session')
  })

  await test.step('every page has its title and subtitle inside the layout', async () => {
    for (const [path, title, subtitle, windowTitle] of pages) {
      await page.goto(path)
      await expect(heading(page)).toHaveText(title)
      await expect(page.getByText(subtitle)).toBeVisible()
      await expect(page).toHaveTitle(`${windowTitle} · Daymark`)
      await expect(sidebar(page)).toBeVisible()
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(page.getByRole('main')).toContainText(title)
    }
  })
})

test.describe('a page that a newer build has removed', () => {
  test.use({ mayLog: /Failed to|ERR_FAILED|error/i })

  test('says so within the frame if reloading did not help, and comes as soon as it is there', async ({
    page,
  }) => {
    await open(page)
    await page.route('**/assets/habits-*.js', (route) => route.abort())
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Habits' }).click()
    await reloaded
    await expect(heading(page)).toHaveText("This page couldn't be loaded")
    await expect(sidebar(page)).toBeVisible()
    await expectNoAxeViolations(page)
    await page.unroute('**/assets/habits-*.js')
    await expect(heading(page)).toHaveText('Habits')
  })

  test('a part of a page says so, too', async ({ page }) => {
    let missing = true
    await page.route('**/assets/shortcuts-dialog-*.js', (route) =>
      missing ? route.abort() : route.continue(),
    )
    await open(page)
    const menu = page.getByRole('button', { name: /account menu$/ })
    const choose = async () => {
      await menu.click()
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    }
    const alert = page.getByRole('alert')
    await settled(page)
    await expect(alert).toHaveCount(0)
    await choose()
    await expect(alert).toContainText("Part of this page couldn't be loaded.")
    await expectNoAxeViolations(page)
    // Not earlier: the page loads it by itself as soon as it can, which clears the alert.
    page.once('framenavigated', () => {
      missing = false
    })
    await alert.getByRole('button', { name: 'Reload the page' }).click()
    await choose()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(alert).toHaveCount(0)
  })
})

test('the sidebar leads to every screen and says where one is', async ({ page, context }) => {
  await open(page)
  const navigation = sidebar(page).getByRole('navigation', { name: 'Main' })

  await test.step("has the heading 'Main' and its five entries, highlights the current one, and has the lists below", async () => {
    await expect(navigation.getByRole('heading', { name: 'Main' })).toBeVisible()
    await expect(navigation.getByRole('link')).toHaveText([
      'Today',
      'Todos',
      'Focus Timer',
      'Habits',
      'Analytics',
    ])
    const lists = sidebar(page).getByRole('navigation', { name: 'Lists' })
    await expect(lists.getByRole('button')).toHaveText(['New list'])
    for (const [name, path] of [
      ['Today', '/today'],
      ['Focus Timer', '/focus'],
      ['Habits', '/habits'],
      ['Analytics', '/analytics'],
      ['Todos', '/todos'],
    ] as const) {
      await navigation.getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
      await expect(navigation.locator('[aria-current=page]')).toHaveText(name)
    }
    const background = (name: string) =>
      navigation.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).backgroundColor)
    await page.mouse.move(700, 700)
    await expect.poll(async () => (await background('Todos')) !== (await background('Habits'))).toBe(true)
  })

  await test.step("the user menu has a link to /settings and the action 'Sign out'", async () => {
    await sidebar(page).getByRole('button', { name: 'account menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL('/settings')
  })

  await test.step('the brand block links to /todos and says what the product is for', async () => {
    await navigation.getByRole('link', { name: 'Habits' }).click()
    await expect(heading(page)).toHaveText('Habits')
    await expect(sidebar(page).getByText('Track. Focus. Achieve.')).toBeVisible()
    await sidebar(page).getByRole('link', { name: 'Daymark' }).click()
    await expect(page).toHaveURL('/todos')
    await expect(heading(page)).toHaveText('Todo List')
  })

  for (const key of ['Control+b', 'Meta+b'])
    await test.step(`toggles with ${key}, even while somebody types, and keeps the focus`, async () => {
      await page.getByPlaceholder('Add a new task...').fill('Water the')
      await page.keyboard.press(key)
      await expect(page.locator('aside')).toBeHidden()
      await expect(page.getByPlaceholder('Add a new task...')).toBeFocused()
      await page.keyboard.press(key)
      await expect(sidebar(page)).toBeVisible()
      await sidebar(page).getByRole('link', { name: 'Habits' }).focus()
      await page.keyboard.press(key)
      await expect(toggle(page)).toBeFocused()
      await page.keyboard.press(key)
      await expect(sidebar(page)).toBeVisible()
    })

  await test.step('is 16 rem wide and collapses off-canvas, out of reach of Tab', async () => {
    await expect.poll(() => sidebar(page).boundingBox()).toMatchObject({ x: 0, width: 256 })
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'true')
    await toggle(page).click()
    await expect(page.locator('aside')).toBeHidden()
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'false')
    await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.x).toBe(0)
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await toggle(page).press('Enter')
    await expect(sidebar(page)).toBeVisible()
  })

  await test.step('stores its state in the cookie sidebar_state for 7 days, and is right from the first paint', async () => {
    const before = Date.now() / 1000
    // The browser may store a cookie only after the press.
    const storedState = async () => (await context.cookies()).find(({ name }) => name === 'sidebar_state')
    await toggle(page).click()
    await expect.poll(storedState).toMatchObject({ value: 'false', path: '/', sameSite: 'Lax' })
    const cookie = await storedState()
    expect(Math.round(((cookie?.expires ?? 0) - before) / 60)).toBe(7 * 24 * 60)

    await page.addInitScript(() => {
      const seen: boolean[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        const aside = document.querySelector('aside')
        if (aside) seen.push(aside.getBoundingClientRect().right > 0)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await heading(page).waitFor()
    const seen = await page.evaluate<boolean[]>('seen')
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).not.toContain(true)

    await toggle(page).click()
    await expect.poll(storedState).toMatchObject({ value: 'true' })
    await page.reload()
    await expect(sidebar(page)).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('below 768 px', async ({ page }) => {
    await open(page)

    await test.step('the sidebar opens as a side sheet of 18 rem that keeps the focus inside', async () => {
      await expect(page.locator('aside')).toHaveCount(0)
      await toggle(page).click()
      await expect(sheet(page)).toBeVisible()
      await expect.poll(() => sheet(page).boundingBox()).toMatchObject({ x: 0, width: 288 })
      await expectNoAxeViolations(page)
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab')
        expect(await sheet(page).evaluate((it) => it.contains(document.activeElement))).toBe(true)
      }
      await page.keyboard.press('Escape')
      await expect(sheet(page)).toHaveCount(0)
      await expect(toggle(page)).toBeFocused()
    })

    await test.step('the user menu in the sheet links to /settings', async () => {
      await page.keyboard.press('Control+b')
      await sheet(page).getByRole('button', { name: 'account menu' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      await expect(heading(page)).toHaveText('Settings')
      await expect(sheet(page)).toHaveCount(0)
    })

    await test.step('the sheet closes on navigation, and the focus is on the new page', async () => {
      await toggle(page).click()
      await sheet(page).getByRole('link', { name: 'Habits' }).click()
      await expect(page).toHaveURL('/habits')
      await expect(sheet(page)).toHaveCount(0)
      await expect(heading(page)).toBeFocused()
      await toggle(page).click()
      await sheet(page).getByRole('link', { name: 'Habits' }).click()
      await expect(sheet(page)).toHaveCount(0)
      await toggle(page).click()
      // Before the sheet is open, a press beside it would hit the page.
      await expect.poll(() => sheet(page).boundingBox()).toMatchObject({ x: 0 })
      await page.mouse.click(340, 400)
      await expect(sheet(page)).toHaveCount(0)
    })

    await test.step('the top bar shows the brand, which links to /todos, in place of the date', async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Daymark' }).click()
      await expect(page).toHaveURL('/todos')
      await expect(page.getByRole('banner').getByRole('paragraph')).toBeHidden()
    })

    await test.step('from 768 px on, it is the sidebar again', async () => {
      await toggle(page).click()
      await expect(sheet(page)).toBeVisible()
      await page.setViewportSize({ width: 768, height: 740 })
      await expect(sheet(page)).toHaveCount(0)
      await expect(sidebar(page)).toBeVisible()
      await page.setViewportSize({ width: 767, height: 740 })
      await expect(page.locator('aside')).toHaveCount(0)
      await expect(sheet(page)).toHaveCount(0)
    })
  })
})

/** As it stands below the title of its page. */
test('all that comes with the to-do screen comes in at most 25 scripts', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await neverFetchTheRest(page)
  const scripts = new Set<string>()
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  await page.goto('/todos')
  await settled(page)
  expect([...scripts].filter((script) => /(shell|task)-parts/.test(script))).toHaveLength(2)
  expect(scripts.size, [...scripts].join('\n')).toBeLessThanOrEqual(25)
})

function formattedToday(): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', day: 'numeric', month: 'long' }).format()
}
