import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { inEveryLook, resize } from './testing/looks/looks.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'

const longestName = 'Wolfeschlegelsteinhausenberger'

const landing = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Build Better Habits, One Day at a Time' })

/** Presses a link of the landing page, and returns to it. */
async function follow(page: Page, name: string, path: RegExp) {
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(landing(page)).toBeVisible()
}

async function expectToFit(page: Page) {
  for (const width of [320, 360, 768, 1280]) {
    await resize(page, width)
    expect(await overflow(page), `${width} px`).toEqual([])
  }
}

test('the landing page shows those who are signed out what Daymark is', async ({ page }) => {
  await page.goto('/?from=elsewhere')

  await test.step('has a logo that links to /', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Daymark' }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('passes WCAG 2.2 AA at 360 and 1280 px, in both themes, signed out', async () => {
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await inEveryLook(page, [360, 1280], (look) => look.expectNoAxeViolations())
  })

  await test.step('fits a screen 320, 360, 768 and 1280 px wide, signed out', () => expectToFit(page))

  await test.step('shows the three features: easy tracking, visual progress, consistency', async () => {
    const features = page.getByRole('main').getByRole('listitem').getByRole('heading')
    await expect(features).toHaveText(['Easy Tracking', 'Visual Progress', 'Stay Consistent'])
  })

  await test.step('ends with a copyright line', async () => {
    await expect(page.getByRole('contentinfo')).toHaveText(/^© 20\d\d Daymark$/)
  })

  await test.step('offers Sign In and Get Started to those who are signed out', async () => {
    await follow(page, 'Sign In', /\/sign-in$/)
    await follow(page, 'Get Started', /\/sign-up$/)
    await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  })

  await test.step("says 'Build Better Habits, One Day at a Time' and starts at /sign-up", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Build Better Habits, One Day at a Time')
    await follow(page, 'Start Tracking Free', /\/sign-up$/)
  })

  await test.step("closes with 'Ready to Transform Your Habits?', which leads to /sign-up", async () => {
    await expect(page.getByRole('heading', { name: 'Ready to Transform Your Habits?' })).toBeVisible()
    await follow(page, 'Get Started Now', /\/sign-up$/)
  })

  await test.step('works with the keyboard alone, and the focus is always visible', async () => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    const stops = ['Daymark', 'Sign In', 'Get Started', 'Start Tracking Free', 'Get Started Now']
    for (const stop of stops) {
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      await expect(focused).toHaveText(stop)
      await expect(focused).toHaveCSS('outline-style', 'solid')
      await expect(focused).toHaveCSS('outline-width', '2px')
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sign-up$/)
  })
})

test('the landing page leads those who are signed in to their tasks', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await page.goto('/')
  await expect(page.getByText('Welcome, Maren-Lind')).toBeVisible()

  await test.step('passes WCAG 2.2 AA at 360 and 1280 px, in both themes', async () => {
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await inEveryLook(page, [360, 1280], (look) => look.expectNoAxeViolations())
  })

  await test.step('welcomes those who are signed in by name and leads them to /todos', async () => {
    await expect(page.getByText('Welcome, Maren-Lind')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toHaveCount(0)
    await follow(page, 'Go to Dashboard', /\/todos$/)
  })

  for (const name of ['Start Tracking Free', 'Get Started Now'])
    await test.step(`'${name}' leads someone signed in to /todos, and not to a sign-up`, async () => {
      await expect(page.getByText('Welcome, Maren-Lind')).toBeVisible()
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', '/todos')
      await follow(page, name, /\/todos$/)
    })

  await test.step('signs out by its Logout button and stays', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    expect(await (await page.request.get('/api/auth/get-session')).json()).toBeNull()
  })
})

test('long names and large text', async ({ page }) => {
  const withLargeText = async (path: string) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const enlarged = await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expect(page.getByRole('link', { name: 'Daymark' })).toBeVisible()
    expect(await overflow(page), path).toEqual([])
    await enlarged.evaluate((style) => style.parentNode?.removeChild(style))
  }

  await test.step('cuts nothing off at 320 px with text at twice the size, signed out', async () => {
    await page.goto('/sign-in')
    await withLargeText('/sign-in')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(page).toHaveURL(/\/sign-up$/)
    await withLargeText('/sign-up')
  })

  await signUpBehindTheScreens(page, newPerson(longestName))
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()

  await test.step('fits a screen 320, 360, 768 and 1280 px wide, even with the longest name', () =>
    expectToFit(page))

  await test.step('cuts nothing off at 320 px with text at twice the size', () => withLargeText('/'))
})

/** Links, buttons, headings and paragraphs that overflow the screen. */
function overflow(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('a, button, h1, h2, p')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        const onlyForScreenReaders = width <= 1
        return !onlyForScreenReaders && (left < 0 || right > document.documentElement.clientWidth)
      })
      .map((element) => element.textContent),
  )
}

test('prerendered', async ({ page }) => {
  await test.step('is there before any script has run, and its links work', async () => {
    await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Build Better Habits, One Day at a Time')
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCSS('display', 'flex')
    await page.getByRole('link', { name: 'Get Started', exact: true }).click()
    await expect(page).toHaveURL(/\/sign-up$/)
    await page.unroute('**/*.js')
  })

  await test.step('a visitor downloads the app only when they are about to open it', async () => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    const asked = page.waitForResponse('**/api/auth/get-session')
    await page.goto('/')
    await asked
    expect(scripts.filter((url) => /packages|app-/.test(url))).toEqual([])
    const fetched = page.waitForResponse(/assets\/sign-up-page-/)
    await page.getByRole('link', { name: 'Get Started', exact: true }).hover()
    expect((await fetched).ok()).toBe(true)
    expect(scripts.filter((url) => /frame/.test(url))).toHaveLength(1)
  })

  await test.step('nothing moves when someone signed in is welcomed, and they are never offered to sign in', async () => {
    await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    const heading = page.getByRole('heading', { level: 1 })
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const letGo = await holdRequest(page, '**/assets/frame-*.js')
      await page.goto('/', { waitUntil: 'commit' })
      await expect(heading).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
      const before = await heading.boundingBox()
      letGo()
      await expect(page.getByText('Welcome, Maren-Lind')).toBeVisible()
      await expect.poll(() => heading.boundingBox(), `${width} px`).toEqual(before)
      await page.unroute('**/assets/frame-*.js')
    }
  })

  await test.step('no line breaks elsewhere when the font arrives', async () => {
    // In one go, because the app puts its own heading in the place of the prerendered one.
    const heading = () => page.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().toJSON())
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const letGo = await holdRequest(page, '**/*.woff2')
      await page.goto('/', { waitUntil: 'commit' })
      await expect(page.getByText('Welcome, Maren-Lind')).toBeVisible()
      expect(await page.evaluate(() => document.fonts.status)).toBe('loading')
      const before = await heading()
      expect(before.width).toBeGreaterThan(0)
      letGo()
      await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe('loaded')
      expect(await heading(), `${width} px`).toEqual(before)
      await page.unroute('**/*.woff2')
    }
  })
})

test('the theme is right before any script of the app has run', async ({ page }) => {
  // Without its scripts the page shows exactly its first paint.
  await page.route(/\/assets\/(?!theme-).*\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  const paper = { light: '#fbfaf7', dark: '#181715' }
  for (const system of ['light', 'dark'] as const) {
    await test.step(`the system's ${system} while nothing is chosen`, async () => {
      await page.emulateMedia({ colorScheme: system })
      await page.goto('/')
      expect(await background(page)).toBe(paper[system])
    })

    const other = system === 'light' ? 'dark' : 'light'
    await test.step(`${other} if ${other} was chosen on a ${system} system, for the browser's own bars, too`, async () => {
      await page.evaluate((theme) => localStorage.setItem('daymark-theme', theme), other)
      await page.reload()
      expect(await background(page)).toBe(paper[other])
      const bars = page.locator(`meta[name="theme-color"][media*="${system}"]`)
      await expect(bars).toHaveAttribute('content', paper[other])
      await page.evaluate(() => localStorage.removeItem('daymark-theme'))
    })
  }
})

/** The page's colour as the screen shows it, such as '#fbfaf7'. */
function background(page: Page): Promise<string> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = getComputedStyle(document.documentElement).backgroundColor
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map((part) => part?.toString(16).padStart(2, '0')).join('')}`
  })
}
