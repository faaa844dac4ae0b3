import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { call, give, inDays } from './testing/person/given-tasks.ts'
import { test } from './testing/person/person.ts'
import { screenSearchIsThere } from './testing/screens/search-results.ts'
import { createTasks, openList, sortBy } from './testing/screens/todo-list.ts'

const titles = (count: number) => Array.from({ length: count }, (_, place) => `Task ${place}`)
const boxOf = (page: Page, title: string) => page.getByRole('checkbox', { name: title, exact: true })
const rowsBuilt = (page: Page) => page.locator('main li[data-row]')
/** The place that the focused row has for a screen reader. */
const placeFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('aria-posinset'))

test.describe('with a thousand tasks', () => {
  test.beforeEach(async ({ page }) => {
    await openList(page, { open: titles(1_000) })
    await boxOf(page, 'Task 0').waitFor()
  })

  test('only the rows near the window are built, and each tells its place and the number of all', async ({
    page,
  }) => {
    expect(await rowsBuilt(page).count()).toBeLessThan(60)
    await page.mouse.move(400, 400)
    for (const [press, first] of [
      ['End', 'Task 999'],
      ['Home', 'Task 0'],
    ] as const) {
      await page.keyboard.press(press)
      await expect(boxOf(page, first)).toBeInViewport()
      expect(await rowsBuilt(page).count()).toBeLessThan(60)
    }
    const places = await rowsBuilt(page).evaluateAll((rows) =>
      rows.map((row) => [
        row.getAttribute('aria-posinset'),
        row.getAttribute('aria-setsize'),
        row.textContent,
      ]),
    )
    expect(places[4]).toEqual(['5', '1000', expect.stringContaining('Task 4')])
  })

  test('a row just found takes the next key, though its buttons are drawn after it', async ({ page }) => {
    await screenSearchIsThere(page, 'todo')
    await page.keyboard.press('/')
    await expect(page.getByRole('textbox', { name: 'Search these tasks' })).toBeFocused()
    for (const key of ['7', '7', '7', 'ArrowDown', 'e']) await page.keyboard.press(key)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Task 777')
  })

  test('a title that was half typed is there again when a search brings its row', async ({ page }) => {
    const title = page.getByRole('textbox', { name: 'Title' })
    const search = async () => {
      await screenSearchIsThere(page, 'todo')
      await page.keyboard.press('/')
      await expect(page.getByRole('textbox', { name: 'Search these tasks' })).toBeFocused()
      for (const key of '777') await page.keyboard.press(key)
    }
    await search()
    for (const key of ['ArrowDown', 'e', 'End', '!']) await page.keyboard.press(key)
    await expect(title).toHaveValue('Task 777!')
    await page.reload()
    await search()
    await expect(title).toHaveValue('Task 777!')
    await expect(page.getByRole('textbox', { name: 'Search these tasks' })).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect(title).toHaveValue('Task 777!')
  })

  test('arrows reach every row, from wherever the page was scrolled, and Tab goes on to the next one', async ({
    page,
  }) => {
    await boxOf(page, 'Task 0').focus()
    for (let place = 1; place <= 60; place++) await page.keyboard.press('ArrowDown')
    await expect(boxOf(page, 'Task 60')).toBeFocused()
    expect(await placeFocused(page)).toBe('61')

    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(boxOf(page, 'Task 999')).toBeInViewport()
    await expect(boxOf(page, 'Task 60')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(boxOf(page, 'Task 61')).toBeFocused()
    await expect(boxOf(page, 'Task 61')).toBeInViewport()

    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(boxOf(page, 'Task 0')).toBeInViewport()
    for (let stop = 0; stop < 8; stop++) {
      if ((await placeFocused(page)) === '63') break
      await page.keyboard.press('Tab')
    }
    await expect(boxOf(page, 'Task 62')).toBeFocused()
    await expect(boxOf(page, 'Task 62')).toBeInViewport()
  })

  test('the last one can be ticked by a key, and the focus goes to the one before', async ({ page }) => {
    await page.keyboard.press('End')
    await boxOf(page, 'Task 999').press('Space')
    await expect(page.getByRole('heading', { name: 'Completed 1' })).toBeVisible()
    await expect(boxOf(page, 'Task 998')).toBeFocused()
  })

  test('a title that is being edited stays, however far the page is scrolled', async ({ page }) => {
    await boxOf(page, 'Task 3').focus()
    await page.keyboard.press('e')
    await page.keyboard.type(' and more')
    const field = page.getByRole('textbox', { name: 'Title' })
    await page.evaluate(() => window.scrollTo(0, 20_000))
    await expect(boxOf(page, 'Task 500')).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('Task 3 and more')
  })

  test('Ctrl+F searches here, and once more the browser does', async ({ page }) => {
    await page.evaluate(() => {
      window.addEventListener('keydown', (event) => {
        if (event.key === 'f') document.documentElement.dataset.taken = String(event.defaultPrevented)
      })
    })
    const html = page.locator('html')
    await page.keyboard.press('Control+f')
    const field = page.getByRole('textbox', { name: 'Search these tasks' })
    await expect(field).toBeFocused()
    await expect(html).toHaveAttribute('data-taken', 'true')
    await field.fill('Task 999')
    await expect(boxOf(page, 'Task 999')).toBeVisible()
    await expect(rowsBuilt(page)).toHaveCount(1)
    await page.keyboard.press('Control+f')
    await expect(html).toHaveAttribute('data-taken', 'false')
    await expect(field).toBeFocused()
  })

  test("Ctrl+F is the browser's in what lies over the list", async ({ page }) => {
    await page.evaluate(() => {
      window.addEventListener('keydown', (event) => {
        if (event.key === 'f') document.documentElement.dataset.taken = String(event.defaultPrevented)
      })
    })
    const html = page.locator('html')
    const search = page.getByRole('textbox', { name: 'Search these tasks' })
    const isLeft = async () => {
      await page.keyboard.press('Control+f')
      await expect(html).toHaveAttribute('data-taken', 'false')
      await expect(search).toHaveCount(0)
    }
    await boxOf(page, 'Task 0').focus()
    await page.keyboard.press('d')
    await expect(page.getByRole('dialog', { name: /^Due date/ }).locator(':focus')).toBeVisible()
    await isLeft()
    await page.keyboard.press('Escape')
    await expect(boxOf(page, 'Task 0')).toBeFocused()
    await page.keyboard.press('Enter')
    const note = page.getByRole('dialog').getByRole('textbox', { name: 'Note' })
    await note.fill('Half a note')
    await isLeft()
    await expect(note).toBeFocused()
    await rowsBuilt(page).first().getByRole('checkbox').focus()
    await page.keyboard.press('Control+f')
    await expect(search).toBeFocused()
  })

  test('on a Mac, Control+F moves the caret in a text, and ⌘F searches the list', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'userAgent', { value: 'Macintosh' }))
    await page.reload()
    await boxOf(page, 'Task 0').waitFor()
    // The search comes a moment after the rows.
    await settled(page)
    const field = page.getByRole('textbox', { name: 'Add a new task...' })
    await field.fill('Half a task')
    const search = page.getByRole('textbox', { name: 'Search these tasks' })
    await page.keyboard.press('Control+f')
    await expect(field).toBeFocused()
    await expect(search).toHaveCount(0)
    await page.keyboard.press('Meta+f')
    await expect(search).toBeFocused()
  })

  test('all of them can be selected, of which most have never been in sight', async ({ page }) => {
    await boxOf(page, 'Task 0').focus()
    await fetchedLater(page, 'several-tasks')
    await page.keyboard.press('Control+a')
    await expect(page.getByText('1,000 selected', { exact: true }).first()).toBeVisible()
  })

  test('a row that is dragged by its grip lands where it is dropped, far from where it was', async ({
    page,
  }) => {
    await sortBy(page, 'Manual')
    await expect(page.locator('main [draggable=true]')).toBeAttached()
    await boxOf(page, 'Task 2').hover()
    const grip = (await page.locator('main [draggable=true]').boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(grip.x + 8, grip.y + 8)
    await page.mouse.down()
    await page.mouse.move(grip.x + 12, grip.y + 14)
    await page.evaluate(() => window.scrollTo(0, 4_000))
    const target = boxOf(page, 'Task 100')
    await expect(target).toBeInViewport()
    const place = (await target.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(grip.x + 40, place.y + 20, { steps: 4 })
    await expect(page.locator('main li[data-dragged]')).toHaveCount(1)
    await page.mouse.up()
    await expect(boxOf(page, 'Task 2')).toBeInViewport()
    const titles = await rowsBuilt(page)
      .getByRole('checkbox')
      .evaluateAll((boxes) => boxes.map((box) => box.ariaLabel))
    const at = titles.indexOf('Task 2')
    expect(titles.slice(at - 1, at + 2)).toEqual(['Task 100', 'Task 2', 'Task 101'])
  })

  for (const keeps of [true, false])
    test(`scrolling up past rows of unknown heights moves what is in view by just as much, where the browser ${keeps ? 'keeps it in place' : 'does not help'}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 360, height: 700 })
      if (!keeps) await withoutOverflowAnchor(page)
      // Higher than the window expects of rows that it has not built yet.
      await page.addStyleTag({ content: 'li[aria-posinset^="4"] { padding-bottom: 37px }' })
      await page.evaluate(() => window.scrollTo(0, 20_040))
      await allBuilt(page)
      await page.mouse.move(180, 300)
      const inView = rowsBuilt(page).nth(14)
      const id = await inView.getAttribute('data-row')
      const top = () =>
        page.evaluate(
          (id) => document.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect().top ?? 0,
          id,
        )
      const height = (row: Locator) => row.evaluate((row: HTMLElement) => row.offsetHeight)
      expect(await height(rowsBuilt(page).first())).toBeGreaterThan(await height(inView))
      const before = await top()
      await page.mouse.wheel(0, -200)
      await expect.poll(top).not.toBe(before)
      await allBuilt(page)
      expect(Math.abs((await top()) - before - 200)).toBeLessThan(2)
    })
})

/** Waits until the rows beyond the edges are built, which come a few a frame. */
async function allBuilt(page: Page) {
  await page.evaluate(async () => {
    const places = () => [...document.querySelectorAll('main li[data-row]')].map((row) => row.ariaPosInSet)
    const frame = () => new Promise(requestAnimationFrame)
    let before = ''
    while (before !== String(places())) {
      before = String(places())
      for (let waited = 0; waited < 6; waited++) await frame()
    }
  })
}

/** As in Safari. */
async function withoutOverflowAnchor(page: Page) {
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS)
    CSS.supports = (...asked: [string]) => asked[0] !== 'overflow-anchor' && supports(...asked)
    document.addEventListener('DOMContentLoaded', () => {
      const style = new CSSStyleSheet()
      style.replaceSync('* { overflow-anchor: none !important }')
      document.adoptedStyleSheets.push(style)
    })
  })
  await page.reload()
  await boxOf(page, 'Task 0').waitFor()
  await settled(page)
}

test('leaving a search of very many tasks returns to the row that one came from', async ({ page }) => {
  await openList(page, { open: titles(1_100) })
  await screenSearchIsThere(page, 'todo')
  await boxOf(page, 'Task 15').focus()
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search these tasks' }).fill('Task 1099')
  await expect(rowsBuilt(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(boxOf(page, 'Task 15')).toBeFocused()

  // Other rows have taken over the elements of these meanwhile.
  for (const [from, found] of [
    ['Task 0', 'Task 10'],
    ['Task 3', '3'],
  ] as const) {
    await boxOf(page, from).focus()
    await page.keyboard.press('/')
    await page.keyboard.type(found)
    await expect(boxOf(page, 'Task 1')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(boxOf(page, from)).toBeFocused()
  }
})

test('after a search of more tasks than the list shows, each element is still of the same task', async ({
  page,
}) => {
  // The list is a long one only while it is searched.
  await openList(page, { open: titles(60).map((title) => `Other ${title}`) })
  const { list } = await call(page, 'post', '/api/lists', { name: 'Home', color: 1 })
  await give(
    page,
    titles(10).map((title) => ({ title, list: list.id })),
  )
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(rowsBuilt(page)).toHaveCount(10)
  await screenSearchIsThere(page, 'todo')
  await page.keyboard.press('/')
  await page.keyboard.type('task')
  await page.keyboard.press('Backspace')
  for (const found of ['5', '7']) {
    await page.getByRole('textbox', { name: 'Search these tasks' }).fill(found)
    await expect(boxOf(page, `Task ${found}`)).toBeVisible()
    await expect(boxOf(page, 'Task 1')).toHaveCount(0)
  }
  const box = await boxOf(page, 'Task 7').elementHandle()
  await page.keyboard.press('Escape')
  await expect(boxOf(page, 'Task 1')).toBeVisible()
  expect(await box?.evaluate((element) => element.closest('[data-row]')?.textContent)).toContain('Task 7')
})

test('thousands that come at once, or with another screen, fill the window all the same', async ({
  page,
}) => {
  const filled = async () => {
    await expect(boxOf(page, 'Task 0')).toBeInViewport()
    const below = await rowsBuilt(page).last().boundingBox()
    expect(below?.y).toBeGreaterThan(await page.evaluate(() => innerHeight))
    expect(await rowsBuilt(page).count()).toBeLessThan(60)
  }
  await openList(page, { open: ['One', 'Two'] })
  await fetchedLater(page, 'row-window-')
  await createTasks(page, { open: titles(1_100) })
  await boxOf(page, 'Task 0').waitFor()
  await settled(page)
  await filled()

  await page.getByRole('link', { name: 'Habits', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Habits')
  await page.getByRole('link', { name: 'Todos', exact: true }).click()
  await boxOf(page, 'Task 0').waitFor()
  await settled(page)
  await filled()
})

test('the row whose title is being edited stays when a fifty-first task comes', async ({ page }) => {
  await openList(page, { open: titles(50) })
  await boxOf(page, 'Task 48').focus()
  await page.keyboard.press('e')
  await page.keyboard.type(' and more')
  await page.waitForTimeout(1_200)
  await createTasks(page, { open: ['One more'] })
  // The new row is far above, and only rows near the window are built as soon as there are 51.
  await expect(page.locator('main li[aria-setsize="51"]').first()).toBeVisible()
  await expect(boxOf(page, 'One more')).toHaveCount(0)
  const field = page.getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Task 48 and more')
  await expect(field).toBeInViewport()
})

test('in groups, only rows near the window are built, and each group counts its own', async ({ page }) => {
  await openList(page)
  const due = (place: number) => (place < 30 ? inDays(1) : place < 60 ? null : inDays(60))
  await give(
    page,
    titles(90).map((title, place) => ({ title, due: due(place) })),
  )
  await boxOf(page, 'Task 0').waitFor()
  await sortBy(page, 'Due date')
  await expect(page.getByRole('heading', { name: /^Tomorrow/ })).toBeVisible()
  expect(await rowsBuilt(page).count()).toBeLessThan(60)
  await page.keyboard.press('End')
  const last = page
    .getByRole('region', { name: /^No due date/ })
    .getByRole('listitem')
    .last()
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-posinset', '30')
  await expect(last).toHaveAttribute('aria-setsize', '30')
  await expectNoAxeViolations(page)
})

test.describe('with a hundred tasks', () => {
  test.beforeEach(async ({ page }) => {
    await openList(page, { open: titles(100) })
    await boxOf(page, 'Task 0').waitFor()
  })

  test("the browser's own search finds all", async ({ page }) => {
    expect(await rowsBuilt(page).count()).toBeLessThan(60)
    await page.keyboard.press('Control+f')
    await expect(rowsBuilt(page)).toHaveCount(100)
    expect(await page.evaluate("window.find('Task 99')")).toBe(true)
    await expect(boxOf(page, 'Task 99')).toBeInViewport()
  })

  test('all are printed', async ({ page }) => {
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect(rowsBuilt(page)).toHaveCount(100)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await rowsBuilt(page).count()).toBeLessThan(60)
  })
})
