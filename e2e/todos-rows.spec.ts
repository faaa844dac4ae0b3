import { expect, type Locator, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook, resize } from './testing/looks/looks.ts'
import { call, inDays } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { daysAgo, keepHabits } from './testing/screens/habit-list.ts'
import { make } from './testing/screens/task-details.ts'
import { confirm, edit, row, tick, titleField } from './testing/screens/todo-list.ts'

// One row, one line: where the facts of a task are, and that nothing moves.

test.use({ timezoneId: 'UTC' })

const long = 'Compare three quotes for the new windows and ask whether the old frames can be kept'
const endless = 'Go on and on '.repeat(30).trim()
const daily = { freq: 'day', every: 1, mode: 'due', from: daysAgo(0) }

/** Someone with a task of every kind. */
async function openRows(page: Page): Promise<{ list: string }> {
  await signUpBehindTheScreens(page)
  const idOf = async (name: string, color: number) =>
    (await call(page, 'post', '/api/lists', { name, color })).list.id
  const home = await idOf('Home', 1)
  const journey = await idOf('A journey around the whole world in a balloon', 2)
  const passport = await make(page, {
    title: 'Renew the passport',
    due_day: daysAgo(3),
    tags: ['papers'],
    priority: 3,
    note: 'Two photos',
    list_id: home,
  })
  await make(page, { title: 'Find the old one', parent_id: passport.id })
  await make(page, { title: long, due_day: inDays(4), tags: ['flat', 'loud', 'money'], list_id: home })
  await make(page, {
    title: 'Team stand-up',
    due_day: daysAgo(0),
    reminder: { days_before: 0, time: 9 * 60 + 15 },
    tags: ['meetings'],
    repeat: daily,
    list_id: home,
  })
  await make(page, { title: 'Pay the rent', due_day: inDays(5), reminder: { days_before: 2, time: 540 } })
  await make(page, { title: 'Book the balloon', priority: 1, list_id: journey })
  await make(page, { title: 'Read the draft of the survey and send the marked-up copy', list_id: home })
  await make(page, { title: endless, due_day: inDays(2) })
  await make(page, { title: 'Plain' })
  await page.goto('/todos')
  await expect(row(page, 'Plain')).toBeVisible()
  await settled(page)
  return { list: home }
}

const dueOf = (row: Locator) => row.getByRole('button', { name: /^(Due: |Reminder: |\d+ days? late)/ })
const tagOf = (row: Locator) => row.getByRole('link').first()
const listOf = (row: Locator) => row.getByTitle(/^(Home|A journey)/)

async function edgesOf(target: Locator): Promise<{ left: number; right: number }> {
  const { x, width } = (await target.boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
  return { left: x, right: x + width }
}

const titleText = (row: Locator) => row.locator('[data-title] > span')

const linesOf = (row: Locator) =>
  titleText(row).evaluate(
    (text) => text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
  )

const boxes = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-row], [data-row] *:not(svg, svg *)')]
      .filter((part) => part.checkVisibility())
      .map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect()
        return [x, y, width, height]
      }),
  )

test('one row, one line', async ({ page }) => {
  const { list } = await openRows(page)
  await page.mouse.move(0, 0)

  await test.step('the facts of all rows are in the same columns', async () => {
    const rights = async (facts: readonly Locator[]) =>
      new Set(await Promise.all(facts.map(async (fact) => (await edgesOf(fact)).right)))
    const of = (...titles: string[]) => titles.map((title) => row(page, title))
    expect(await rights(of('Renew the passport', 'Team stand-up', endless).map(dueOf))).toHaveProperty(
      'size',
      1,
    )
    expect(await rights(of('Renew the passport', 'Team stand-up').map(tagOf))).toHaveProperty('size', 1)
    const [home, journey] = await Promise.all(
      of('Renew the passport', 'Book the balloon').map((row) => edgesOf(listOf(row))),
    )
    expect(home?.left).toBe(journey?.left)
    const tasks = await edgesOf(page.getByRole('list', { name: 'Open tasks' }))
    expect(journey?.right, 'a long name ends with the column of the page').toBe(tasks.right)
  })

  await test.step('a title takes the room of columns that its row does not use', async () => {
    const widthOf = async (title: string) =>
      (await row(page, title).locator('[data-title]').boundingBox())?.width ?? 0
    expect(await widthOf('Plain')).toBeGreaterThan(await widthOf('Book the balloon'))
    expect(await widthOf('Book the balloon')).toBeGreaterThan(await widthOf('Renew the passport'))
    expect(await linesOf(row(page, 'Read the draft of the survey and send the marked-up copy'))).toBe(1)
  })

  await test.step('a title that does not fit has two lines, then an ellipsis', async () => {
    expect(await linesOf(row(page, long))).toBe(2)
    expect(await linesOf(row(page, endless))).toBe(2)
    expect(await titleText(row(page, endless)).evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true)
  })

  await test.step('the due date says one thing', async () => {
    await expect(row(page, 'Renew the passport').getByRole('button', { name: '3 days late' })).toBeVisible()
    await expect(
      row(page, 'Team stand-up').getByRole('button', { name: 'Due: Today, Reminder: 09:15' }),
    ).toBeVisible()
    const rent = row(page, 'Pay the rent').getByRole('button', { name: /^Due: .* Reminder: .*, 09:00$/ })
    await expect(rent).toBeVisible()
    await expect(
      rent.getByTitle(/, 09:00$/),
      'a reminder of another day has a sign and its words',
    ).toBeVisible()
  })

  await test.step('one tag is shown, and how many more there are', async () => {
    const links = row(page, long).getByRole('link')
    await expect(links).toHaveText(['#flat'])
    await expect(row(page, long).getByText('+2')).toBeVisible()
    await expect(row(page, long).getByTitle('#loud #money')).toBeVisible()
  })

  await test.step('subtasks and a note follow the last word of the title', async () => {
    const signs = row(page, 'Renew the passport').locator('[data-title] [aria-hidden=true]').first()
    await expect(signs).toBeVisible()
    await expect(row(page, 'Renew the passport')).toContainText('Subtasks: 0/1')
    await expect(
      row(page, 'Renew the passport').getByRole('button', { name: 'Renew the passport' }),
    ).toHaveCount(1)
  })

  await test.step('pointing at a row, or moving the focus into it, changes no box of any row', async () => {
    const before = await boxes(page)
    for (const title of ['Renew the passport', long, 'Plain', endless]) {
      await row(page, title).hover()
      await expect(edit(row(page, title)).locator('svg')).toBeVisible()
      expect(await boxes(page), title).toEqual(before)
    }
    await page.mouse.move(0, 0)
    await expect(edit(row(page, endless)).locator('svg')).toHaveCount(0)
    await tick(row(page, 'Plain')).focus()
    await page.keyboard.press('Tab')
    await expect(edit(row(page, 'Plain')).locator('svg')).toBeVisible()
    expect(await boxes(page)).toEqual(before)
    await page.getByRole('heading', { level: 1 }).focus()
    await expect(edit(row(page, 'Plain')).locator('svg')).toHaveCount(0)
  })

  await test.step('a tick moves no row before the ticked one leaves', async () => {
    await page.mouse.move(0, 0)
    const places = () =>
      page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
    const before = await places()
    await row(page, long).getByRole('checkbox').hover()
    await page.mouse.down()
    await page.mouse.up()
    await expect(tick(row(page, long))).toBeChecked()
    expect(await places()).toEqual(before)
    await page.mouse.down()
    await page.mouse.up()
    await expect(tick(row(page, long))).not.toBeChecked()
    expect(await places()).toEqual(before)
  })

  await test.step('the buttons lie before the due date', async () => {
    const task = row(page, 'Renew the passport')
    await task.hover()
    const last = await task.getByRole('button').last().boundingBox()
    const due = await edgesOf(dueOf(row(page, 'Renew the passport')))
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(due.left)
  })

  await test.step('while a title is edited, no button lies over its field', async () => {
    const task = row(page, 'Renew the passport')
    await edit(task).click()
    const field = await titleField(page).boundingBox()
    const first = await confirm(task).boundingBox()
    expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual(first?.x ?? 0)
    await confirm(task).click()
    await expect(titleField(page)).toHaveCount(0)
    await expect(edit(task)).toBeFocused()
  })

  await test.step("a list's page gives the room of the list to its tags, and the date keeps its place", async () => {
    const before = await edgesOf(dueOf(row(page, 'Renew the passport')))
    await page.goto(`/lists/${list}`)
    await expect(row(page, 'Renew the passport')).toBeVisible()
    expect((await edgesOf(dueOf(row(page, 'Renew the passport')))).right).toBe(before.right)
    await expect(row(page, long).getByRole('link')).toHaveText(['#flat', '#loud'])
    await expect(row(page, long).getByText('+1')).toBeVisible()
  })

  await test.step('below the title, where there is no room beside it: all tags, and the repeat in words', async () => {
    await page.goto('/todos')
    await resize(page, 1000)
    await expect(row(page, long).getByRole('link')).toHaveText(['#flat', '#loud', '#money'])
    await expect(row(page, 'Team stand-up').getByText('Every day')).toBeVisible()
    const title = await titleText(row(page, 'Plain')).boundingBox()
    expect(title?.height).toBe(24)
    const due = await row(page, 'Renew the passport')
      .getByRole('button', { name: '3 days late' })
      .boundingBox()
    const { y = 0, height = 0 } = (await titleText(row(page, 'Renew the passport')).boundingBox()) ?? {}
    expect(due?.y).toBeGreaterThanOrEqual(y + height - 1)
  })

  await test.step('the rows fit every width, and pass WCAG 2.2 AA in both themes', async () => {
    await inEveryLook(page, [360, 1000, 1280], async ({ expectNoAxeViolations: expectNone }) => {
      await expectNothingSticksOut(page)
      await expectNone()
    })
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('at 320 px, and with text at twice the size, nothing is cut off', async () => {
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    for (const width of [320, 1280]) {
      await resize(page, width)
      await expectNothingSticksOut(page)
    }
    await expectNoAxeViolations(page)
  })
})

test('a column that no row uses takes no room, and keeps it while its last row is ticked', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  for (const title of ['First', 'Second']) await make(page, { title, due_day: inDays(2) })
  await page.goto('/todos')
  await expect(row(page, 'Second')).toBeVisible()
  const rightOf = async (title: string) => (await edgesOf(dueOf(row(page, title)))).right
  const { right } = await edgesOf(page.getByRole('list', { name: 'Open tasks' }))
  expect(await rightOf('First')).toBe(right)

  await make(page, { title: 'Tagged', due_day: inDays(2), tags: ['one'], priority: 2 })
  await expect(row(page, 'Tagged')).toBeVisible()
  const withColumns = await rightOf('Tagged')
  expect(withColumns).toBeLessThan(right)
  expect(await rightOf('First')).toBe(withColumns)
  await tick(row(page, 'Tagged')).click()
  await expect(page.getByRole('list', { name: 'Completed' }).getByText('Tagged')).toBeVisible()
  expect(await rightOf('First')).toBe(withColumns)
  await page.reload()
  await expect(row(page, 'First')).toBeVisible()
  await expect.poll(() => rightOf('First')).toBe(right)
})

test('the grip is in the middle of its row, however many lines that has', async ({ page }) => {
  const { list } = await openRows(page)
  await page.goto(`/lists/${list}`)
  await settled(page)
  const grip = page.locator('main [draggable=true]')
  for (const title of [long, 'Renew the passport'])
    for (const width of [1280, 1000]) {
      await resize(page, width)
      await page.mouse.move(0, 0)
      await row(page, title).hover()
      await expect(grip).toBeVisible()
      const middleOf = async (target: Locator) => {
        const { y = 0, height = 0 } = (await target.boundingBox()) ?? {}
        return y + height / 2
      }
      expect(await middleOf(grip), `${title}, ${width} px`).toBe(await middleOf(row(page, title)))
    }
})

test('a page of one day does not repeat the day, and its habits line up with its tasks', async ({ page }) => {
  await openRows(page)
  await keepHabits(page, [{ name: 'Read', start: daysAgo(20), done: [daysAgo(1)] }])
  await page.goto('/today')
  await expect(row(page, 'Read')).toBeVisible()
  await expect(
    row(page, 'Team stand-up').getByRole('button', { name: 'Reminder: 09:15', exact: true }),
  ).toBeVisible()
  const leftOf = async (target: Locator) => (await target.boundingBox())?.x
  expect(await leftOf(tick(row(page, 'Read')))).toBe(await leftOf(tick(row(page, 'Team stand-up'))))
  expect(await leftOf(row(page, 'Read').locator('[data-title]'))).toBe(
    await leftOf(row(page, 'Team stand-up').locator('[data-title]')),
  )
})

test('over a title from right to left, the buttons leave its beginning free', async ({ page }) => {
  await signUpBehindTheScreens(page)
  const title = 'לקנות חלב ולחם לארוחת הבוקר'
  await make(page, { title, due_day: inDays(2) })
  await page.goto('/todos')
  await row(page, title).hover()
  await expect(edit(row(page, title)).locator('svg')).toBeVisible()
  const { x: left = 0 } = (await row(page, title).locator('[data-title]').boundingBox()) ?? {}
  const buttons = await edit(row(page, title)).boundingBox()
  expect((buttons?.x ?? 0) - left).toBeLessThan(160)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the facts are below the title, and the one button beside it', async ({ page }) => {
    await openRows(page)
    const task = row(page, 'Renew the passport')
    await expect(task.getByRole('button', { name: 'More actions' }).locator('svg')).toBeVisible()
    await expect(task.getByRole('button', { name: 'Delete task' })).toHaveCount(0)
    await expect(task.getByText('Priority: High')).toBeAttached()
    const middleOf = async (target: Locator) => {
      const { y = 0, height = 0 } = (await target.boundingBox()) ?? {}
      return y + height / 2
    }
    expect(await middleOf(task.getByRole('button', { name: 'More actions' }))).toBe(
      await middleOf(tick(task)),
    )
    expect(await middleOf(task.getByRole('button', { name: '3 days late' }))).toBeGreaterThan(
      (await middleOf(tick(task))) + 12,
    )
    await page.setViewportSize({ width: 1180, height: 820 })
    await expect(row(page, long).getByRole('link')).toHaveText(['#flat'])
    const more = async (title: string) =>
      (await row(page, title).getByRole('button', { name: 'More actions' }).boundingBox())?.x
    expect(await more('Plain'), 'on a tablet it has a column').toBe(await more('Renew the passport'))
    await expectNothingSticksOut(page)
  })
})
