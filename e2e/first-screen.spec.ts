import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import {
  listed,
  markUsable,
  openUntilUsable,
  overPhoneLine,
  type SentRequest,
  sizeOf,
  watchRequests,
} from '#testing/usable.ts'
import budgets from '../scripts/web/web-budget.json' with { type: 'json' }
import { give } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'

// What a browser is sent until a screen is usable, over the line of a phone. A page names only some of it: scripts ask for more, and
// what comes before the first row keeps that waiting.

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

const { untilUsable: budgetOf } = budgets
type Path = keyof typeof budgetOf

for (const path of ['/todos', '/today'] as const) {
  test(`until ${path} is usable, at most ${budgetOf[path].requests} requests and ${budgetOf[path].script} KB of script are sent`, async ({
    page,
    browser,
  }) => {
    const cookies = await cookiesOfPersonWithTasks(page)
    const sent = await sentUntilUsable(browser, cookies, path)
    expect(overBudget(sent, budgetOf[path]), listed(sent)).toEqual([])
  })
}

test('parts that the page names without need are over the budget, and so is what is asked for as the first row is drawn', async ({
  page,
  browser,
}) => {
  const cookies = await cookiesOfPersonWithTasks(page)
  const scriptsAt = async (path: string) => {
    const html = await (await page.request.get(path)).text()
    return [...html.matchAll(/\/assets\/[\w-]+\.js/g)].map(([script]) => script)
  }
  const needed = await scriptsAt('/todos')
  const others = new Set([...(await scriptsAt('/habits')), ...(await scriptsAt('/settings'))])
  const planted = [...others].filter((script) => !needed.includes(script))
  const sent = await sentUntilUsable(browser, cookies, '/todos', async (page) => {
    await page.addInitScript(askWhenDrawnAndWhenUsable)
    await page.route('/todos', async (route) => {
      const response = await route.fetch()
      const links = planted.map((script) => `<link rel="modulepreload" href="${script}">`).join('')
      const body = (await response.text()).replace('</head>', () => `${links}</head>`)
      await route.fulfill({ response, body })
    })
  })
  const addresses = sent.map(({ address }) => address)
  expect(addresses).toEqual(expect.arrayContaining([...planted, '/api/health?drawn']))
  expect(addresses).not.toContain('/api/health?usable')
  expect(overBudget(sent, budgetOf['/todos']), listed(sent)).toEqual([
    expect.stringContaining('requests'),
    expect.stringContaining('KB of script'),
  ])
})

/** Runs in the page. */
function askWhenDrawnAndWhenUsable(): void {
  const rows = new MutationObserver(() => {
    if (!document.querySelector('[data-row] [data-title]')) return
    rows.disconnect()
    void fetch('/api/health?drawn')
  })
  rows.observe(document, { subtree: true, childList: true })
  const usable = new PerformanceObserver((marks) => {
    if (marks.getEntriesByName('usable').length > 0) void fetch('/api/health?usable')
  })
  usable.observe({ type: 'mark' })
}

test("a row's buttons come into the room that is kept for them", async ({ page }) => {
  await cookiesOfPersonWithTasks(page)
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[data-row], [data-row] :is(input, [data-title])')].map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect()
        return [x, y, width, height]
      }),
    )
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/task-parts-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/todos')
    const rows = page.locator('[data-row]')
    await expect(rows).toHaveCount(20)
    await page.evaluate(() => document.fonts.ready)
    const before = await places()
    release()
    const last = rows.last().getByRole('button').last()
    await expect(last).toHaveAccessibleName(/^(Delete task|More actions)$/)
    expect(await places(), `${width} px`).toEqual(before)
    await page.unroute('**/assets/task-parts-*.js')
  }
})

async function cookiesOfPersonWithTasks(page: Page): Promise<Cookies> {
  await signUpBehindTheScreens(page)
  await give(
    page,
    Array.from({ length: 20 }, (_, place) => ({ title: `Task ${place}` })),
  )
  return page.context().cookies()
}

/** What a browser that has nothing but the cookies asks for until the page is usable. */
async function sentUntilUsable(
  browser: Browser,
  cookies: Cookies,
  path: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<SentRequest[]> {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  await context.addInitScript(markUsable)
  const page = await context.newPage()
  await prepare?.(page)
  await overPhoneLine(await context.newCDPSession(page))
  const requests = await watchRequests(page)
  const sent = await requests.before(await openUntilUsable(page, path))
  await context.close()
  return sent
}

function overBudget(sent: readonly SentRequest[], budget: (typeof budgetOf)[Path]): string[] {
  const script = sizeOf(sent, /\.js$/)
  return [
    ...(sent.length > budget.requests ? [`${sent.length} requests, at most ${budget.requests}`] : []),
    ...(script > budget.script ? [`${script.toFixed(1)} KB of script, at most ${budget.script}`] : []),
  ]
}
