import { randomBytes } from 'node:crypto'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { newRowId } from '../src/platform/wire/ids/new-row-id.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { finger } from './testing/person/finger.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  addButton,
  days,
  daysAgo,
  dialog,
  edit,
  habits,
  inWords,
  keepHabits,
  name,
  row,
  streak,
  tick,
  toasts,
  year,
} from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

const title = (page: Page) => dialog(page).getByLabel('Habit Title')
const frequency = (page: Page) => dialog(page).getByLabel('Frequency')
const more = (row: Locator) => row.getByRole('button', { name: /^More: / })
const less = (row: Locator) => row.getByRole('button', { name: /^Less: / })

const glasses = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
const cups = { at: 'most', amount: 2_000, unit: 'cups', per: 'day' }
const daily = { every: 1 }

/** Calls the API as this person. Returns the response. */
async function call(page: Page, method: 'post' | 'put' | 'get', path: string, data?: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request[method](path, { ...(data && { data }), headers: { origin } })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

/** A habit with a rhythm, and its id. */
async function keep(page: Page, habit: { name: string; rhythm?: object; target?: object; start?: number }) {
  const id = newRowId(Date.now(), randomBytes(10))
  const { start = 30, ...fields } = habit
  await call(page, 'post', '/api/habits', { id, description: '', ...fields, start_date: daysAgo(start) })
  return id
}

const complete = (page: Page, id: string, ...back: number[]) =>
  Promise.all(
    back.map((ago) =>
      call(page, 'post', `/api/habits/${id}/complete`, { date: daysAgo(ago), completed: true }),
    ),
  )

async function openList(page: Page) {
  await page.goto('/habits')
  await page.getByRole('heading', { level: 1, name: 'Habits' }).waitFor()
  await habits(page).getByRole('listitem').first().waitFor()
  await settled(page)
}

/** Shows another screen of the app, without loading the page. */
async function show(page: Page, screen: 'Today' | 'Habits') {
  await page.getByRole('link', { name: screen }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible()
  await settled(page)
}

/** Takes the last change back. */
async function undo(page: Page) {
  await settled(page)
  await page.keyboard.press('Control+z')
}

async function onServer(page: Page, name: string) {
  const { habits } = await call(page, 'get', '/api/habits')
  return habits.find((habit: { name: string }) => habit.name === name)
}

const labels = (of: Locator) => of.evaluateAll((them) => them.map((it) => it.ariaLabel?.split(', ').at(-1)))

test('a rhythm, and its place in the list', async ({ page }) => {
  await signUpBehindTheScreens(page)
  const [id] = await Promise.all([
    keep(page, { name: 'Read', rhythm: daily }),
    keep(page, { name: 'Swim', rhythm: { times: 7, per: 'week' } }),
    keepHabits(page, [
      { name: 'Walk', start: daysAgo(20), done: Array.from({ length: 20 }, (_, ago) => daysAgo(ago + 1)) },
      { name: 'Draw', start: daysAgo(3) },
      { name: 'Run' },
    ]),
  ])
  await complete(page, id, 2, 3, 4)
  await openList(page)

  await test.step('the strength is told after 14 days, and how it is summed when somebody asks', async () => {
    await expect(row(page, 'Walk').getByText('Strength: 100%')).toBeVisible()
    await expect(row(page, 'Draw').getByText('Strength: –shown after 14 days')).toBeVisible()
    await name(row(page, 'Walk')).click()
    await row(page, 'Walk').getByRole('button', { name: 'How it is summed' }).click()
    const sum = row(page, 'Walk').getByRole('table', { name: /^How the strength is summed/ })
    await expect(sum.getByRole('row').nth(1)).toHaveText(/100%1\.0001\.000$/)
    await expect(sum.getByRole('row').nth(2)).toHaveText(/100%0\.9770\.977$/)
    await name(row(page, 'Walk')).click()
  })

  await test.step('offers Daily and Weekly first, then five more, each with an example, and says the choice in words', async () => {
    await addButton(page).click()
    await expect(frequency(page).getByRole('option')).toHaveText([
      'Daily',
      'Weekly',
      'Certain weekdays: Mon, Wed and Fri',
      'Times a week: 3 of 7 days, whichever',
      'Times a month: 4 days of the month',
      'Every few days: every 3 days',
      'Times in some days: 2 times in 5 days',
    ])
    await expect(dialog(page).getByText('Every day.')).toBeVisible()
    await frequency(page).selectOption('week')
    await expect(dialog(page).getByText('3 times a week, on any days.')).toBeVisible()
    await dialog(page).getByLabel('Times a week').fill('9')
    await expect(dialog(page).getByText('Enter a number of times from 1 to 7')).toBeVisible()
    await title(page).fill('Long run')
    await expect(dialog(page).getByRole('button', { name: 'Add Habit' })).toBeDisabled()
    await dialog(page).getByLabel('Times a week').fill('2')
    await dialog(page).getByRole('button', { name: 'Add Habit' }).click()
    await expect(row(page, 'Long run').getByText('2 times a week')).toBeVisible()
    await expect
      .poll(async () => (await onServer(page, 'Long run')).rhythm)
      .toEqual({
        times: 2,
        per: 'week',
      })
  })

  await test.step('asks for weekdays and an amount, and says both in the badge', async () => {
    await addButton(page).click()
    await title(page).fill('Drink juice')
    await frequency(page).selectOption('weekdays')
    await dialog(page).getByRole('button', { name: 'Friday' }).click()
    await dialog(page).getByRole('button', { name: 'Tuesday' }).click()
    await dialog(page).getByRole('radio', { name: 'Count it' }).check()
    await dialog(page).getByLabel('Amount').fill('1,5')
    await dialog(page).getByLabel('Unit').fill('litres')
    await expect(dialog(page).getByText('At least 1.5 litres a day, Monday to Wednesday.')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Add Habit' }).click()
    await expect(row(page, 'Drink juice').getByText('1.5 litres, Mon to Wed')).toBeVisible()
    expect((await onServer(page, 'Drink juice')).target).toEqual({
      at: 'least',
      amount: 1_500,
      unit: 'litres',
      per: 'day',
    })
  })

  await test.step('a changed rhythm counts from today, and past days keep theirs', async () => {
    const reading = row(page, 'Read')
    await name(reading).click()
    await edit(reading).click()
    await frequency(page).selectOption('week')
    await expect(dialog(page).getByText('Counts from today; past days keep theirs.')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(reading.getByText('3 times a week', { exact: true })).toBeVisible()
    expect((await labels(days(reading))).slice(0, 6)).toEqual([
      'missed',
      'missed',
      'done',
      'done',
      'done',
      'missed',
    ])
    await expect(streak(reading)).toHaveText('Current streak: 0 weeks')
    await undo(page)
    await expect(reading.getByText('Daily', { exact: true })).toBeVisible()
    await expect.poll(async () => (await onServer(page, 'Read')).rhythm).toEqual(daily)
    await name(reading).click()
  })

  await test.step('times a week say how many are done, what is still possible, and count weeks', async () => {
    const swimming = row(page, 'Swim')
    const isMonday = new Date().getUTCDay() === 1
    await expect(
      swimming.getByText(isMonday ? 'Still possible: 0 of 7 this week, 7 days left' : /^No longer/),
    ).toBeVisible()
    await tick(swimming).check()
    await expect(swimming.getByText(/1 of 7 this week/)).toBeVisible()
    await expect(streak(swimming)).toHaveText('Current streak: 0 weeks')
    await tick(swimming).uncheck()
    await expect(swimming.getByText(/0 of 7 this week/)).toBeVisible()
  })

  await test.step('Alt and the arrows put habits into the order that the person wants, on all devices', async () => {
    const order = () =>
      habits(page)
        .getByRole('checkbox')
        .evaluateAll((them) => them.map((it) => it.ariaLabel))
    // Also until the part that moves rows is not only fetched, but on the screen.
    await settled(page)
    const before = await order()
    const wanted = before.filter((name) => name !== 'Run')
    wanted.splice(before.indexOf('Run') - 2, 0, 'Run')
    await tick(row(page, 'Run')).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(order).toEqual(wanted)
    await expect(tick(row(page, 'Run'))).toBeFocused()
    await expect
      .poll(async () =>
        (await call(page, 'get', '/api/habits')).habits.map(({ name }: { name: string }) => name),
      )
      .toEqual(wanted)
  })
})

test('amounts, and days that are skipped', async ({ page }) => {
  await signUpBehindTheScreens(page)
  const [, , id] = await Promise.all([
    keep(page, { name: 'Drink water', rhythm: daily, target: glasses }),
    keep(page, { name: 'Drink tea', rhythm: daily, target: glasses }),
    keep(page, { name: 'Coffee', rhythm: daily, target: cups }),
    keepHabits(page, [
      { name: 'Stretch', start: daysAgo(5), done: [1, 3, 4, 5].map((ago) => daysAgo(ago)) },
      { name: 'Read' },
      { name: 'Draw' },
    ]),
  ])
  await call(page, 'post', `/api/habits/${id}/amounts`, { day: daysAgo(2), value: 3_000 })
  await openList(page)

  await test.step('+ adds a step, − takes the last back, the tick adds what is missing, and Undo returns it', async () => {
    const water = row(page, 'Drink water')
    await more(water).click()
    await more(water).click()
    await expect(water.getByText('2 of 8 glasses today')).toBeVisible()
    await less(water).click()
    await expect(water.getByText('1 of 8 glasses today')).toBeVisible()
    await expect(tick(water)).not.toBeChecked()
    await tick(water).check()
    await expect(water.getByText('8 of 8 glasses today')).toBeVisible()
    await expect(streak(water)).toHaveText('Current streak: 1 day')
    await expect
      .poll(async () => (await onServer(page, 'Drink water')).today)
      .toEqual({
        state: 'done',
        amount: 8_000,
      })
    await undo(page)
    await expect(water.getByText('1 of 8 glasses today')).toBeVisible()
    await expect.poll(async () => (await onServer(page, 'Drink water')).today.amount).toBe(1_000)
    await tick(water).check()
    await tick(water).uncheck()
    await expect(water.getByText('0 of 8 glasses today')).toBeVisible()
  })

  await test.step('is entered by the keyboard, with a note of the day, and is said of the day', async () => {
    const tea = row(page, 'Drink tea')
    await days(tea).last().focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('e')
    const editor = page.getByRole('dialog', { name: `Drink tea, ${inWords(daysAgo(1))}` })
    await expect(editor.getByLabel('Amount')).toBeFocused()
    await page.keyboard.type('2.5')
    await editor.getByLabel('Note').fill('Hot day')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(editor).toHaveCount(0)
    const yesterday = days(tea).nth(5)
    await expect(yesterday).toBeFocused()
    await expect(yesterday).toHaveAccessibleName(`Drink tea, ${inWords(daysAgo(1))}, 2.5 of 8 glasses`)
    await name(tea).click()
    await expect(
      year(tea).getByRole('button', { name: `${inWords(daysAgo(1))}, 2.5 of 8 glasses, with a note` }),
    ).toBeVisible()
    const { id } = await onServer(page, 'Drink tea')
    const stored = async () =>
      (await call(page, 'get', `/api/habits/${id}/days?from=${daysAgo(1)}&to=${daysAgo(1)}`)).days
    await expect.poll(stored).toMatchObject([{ amount: 2_500, note: 'Hot day' }])
    await name(tea).click()
  })

  await test.step('at most: kept so far, then over the limit, and no day before the first entry was kept', async () => {
    const coffee = row(page, 'Coffee')
    expect(await labels(days(coffee))).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      '3 of at most 2 cups',
      'done',
      'unknown',
    ])
    await more(coffee).click()
    await expect(coffee.getByText('1 of 2 cups today, kept so far')).toBeVisible()
    await expect(tick(coffee)).toBeChecked()
    await more(coffee).click()
    await more(coffee).click()
    await expect(coffee.getByText('3 of 2 cups today, over the limit')).toBeVisible()
    await expect(tick(coffee)).not.toBeChecked()
    await expect(days(coffee).last()).toHaveAccessibleName(/over the limit, 3 of at most 2 cups$/)
  })

  await test.step('S skips it, breaks no streak, says so in the legend, and can be undone', async () => {
    const stretching = row(page, 'Stretch')
    await expect(streak(stretching)).toHaveText('Current streak: 1 day')
    await days(stretching).nth(4).focus()
    await page.keyboard.press('s')
    await expect(days(stretching).nth(4)).toHaveAccessibleName(/, skipped$/)
    await expect(streak(stretching)).toHaveText('Current streak: 4 days')
    await expect(page.getByText('Skipped: breaks no streak, adds none')).toBeVisible()
    await toasts(page).filter({ hasText: 'Day skipped' }).getByRole('button', { name: 'Undo' }).click()
    await expect(days(stretching).nth(4)).toHaveAccessibleName(/, missed$/)
    await expect(streak(stretching)).toHaveText('Current streak: 1 day')
  })

  await test.step('from the opened card, today is no longer asked for on Today', async () => {
    await name(row(page, 'Read')).click()
    await row(page, 'Read').getByRole('button', { name: 'Skip today' }).click()
    await expect(row(page, 'Read').getByRole('button', { name: "Don't skip today" })).toBeVisible()
    await show(page, 'Today')
    await expect(page.getByRole('checkbox', { name: 'Draw' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Read' })).toHaveCount(0)
  })
})

test.describe('an amount', () => {
  test.use({ mayLog: /ERR_INTERNET_DISCONNECTED/ })

  test('that two devices add to without a connection counts what both added', async ({ page, browser }) => {
    await signUpBehindTheScreens(page)
    await keep(page, { name: 'Drink water', rhythm: daily, target: glasses })
    await openList(page)
    const other = await anotherDevice(browser, page)
    await openList(other)
    await page.context().setOffline(true)
    await other.context().setOffline(true)
    await more(row(page, 'Drink water')).click()
    await more(row(other, 'Drink water')).click()
    await more(row(other, 'Drink water')).click()
    await expect(row(page, 'Drink water').getByText('1 of 8 glasses today')).toBeVisible()
    await page.context().setOffline(false)
    await other.context().setOffline(false)
    for (const device of [page, other])
      await expect(row(device, 'Drink water').getByText('3 of 8 glasses today')).toBeVisible({
        timeout: 30_000,
      })
    await other.context().close()
  })
})

test('pausing, and the archive', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keepHabits(page, [
    { name: 'Meditate', start: daysAgo(3), done: [1, 2, 3].map((ago) => daysAgo(ago)) },
    { name: 'Read' },
    { name: 'Run', frequency: 'weekly' },
    { name: 'Draw' },
  ])
  await openList(page)

  await test.step('one habit until it is resumed: its streak stands, and it is not asked for', async () => {
    const meditating = row(page, 'Meditate')
    await name(meditating).click()
    await meditating.getByRole('button', { name: 'Pause…' }).click()
    await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(meditating.getByText(/^Paused since /)).toBeVisible()
    await expect(days(meditating).last()).toHaveAccessibleName(/, paused$/)
    await expect(streak(meditating)).toHaveText('Current streak: 3 days')
    await meditating.getByRole('button', { name: 'Resume' }).first().click()
    await expect(days(meditating).last()).toHaveAccessibleName(/, not done$/)
    await expect.poll(async () => (await call(page, 'get', '/api/pauses')).pauses).toEqual([])
    await toasts(page).filter({ hasText: 'Resumed' }).getByRole('button', { name: 'Undo' }).click()
    await expect(days(meditating).last()).toHaveAccessibleName(/, paused$/)
  })

  await test.step('all habits at once, and resuming all', async () => {
    await page.getByRole('button', { name: 'Pause all habits…' }).click()
    await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click()
    for (const habit of ['Read', 'Run'])
      await expect(row(page, habit).getByText(/^All habits are paused since/)).toBeVisible()
    await show(page, 'Today')
    await expect(page.getByRole('checkbox', { name: 'Read' })).toHaveCount(0)
    await show(page, 'Habits')
    await page.getByRole('button', { name: 'Resume all habits' }).click()
    await expect(row(page, 'Read').getByText(/paused/)).toHaveCount(0)
  })

  await test.step('resuming one habit leaves the pause of all', async () => {
    const { id } = await onServer(page, 'Read')
    await call(page, 'post', '/api/pauses', { habit_id: id, from_day: daysAgo(2), to_day: null })
    await call(page, 'post', '/api/pauses', { from_day: daysAgo(1), to_day: null })
    await expect(row(page, 'Run').getByText(/^All habits are paused since/)).toBeVisible()
    const resume = row(page, 'Read').getByRole('button', { name: 'Resume', exact: true })
    await resume.click()
    await expect(resume).toHaveCount(0)
    for (const habit of ['Read', 'Run'])
      await expect(row(page, habit).getByText(/^All habits are paused since/)).toBeVisible()
  })

  await test.step('an archived habit is folded away, kept, and can be taken out again', async () => {
    await name(row(page, 'Draw')).click()
    await row(page, 'Draw').getByRole('button', { name: 'Archive' }).click()
    await expect(row(page, 'Draw')).toHaveCount(0)
    await page.getByRole('button', { name: 'Archived 1' }).click()
    await page.getByRole('button', { name: 'Take Draw out of the archive' }).click()
    await expect(row(page, 'Draw')).toBeVisible()
    await expect.poll(async () => (await onServer(page, 'Draw')).archived_at).toBeNull()
  })
})

test.describe('on touch', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a long press on a day skips it, and on + asks for any amount', async ({ page }) => {
    await signUpBehindTheScreens(page)
    await keep(page, { name: 'Drink water', rhythm: daily, target: glasses })
    await openList(page)
    const water = row(page, 'Drink water')
    const touch = await finger(page)
    const middle = async (of: Locator) => {
      const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return [x + width / 2, y + height / 2] as const
    }
    await touch('touchStart', ...(await middle(days(water).nth(3))))
    await expect(days(water).nth(3)).toHaveAccessibleName(/, skipped$/)
    await touch('touchEnd')
    await expect(days(water).nth(3)).toHaveAccessibleName(/, skipped$/)
    await touch('touchStart', ...(await middle(more(water))))
    await expect(dialog(page).getByLabel('Amount')).toBeVisible()
    await touch('touchEnd')
    await dialog(page).getByLabel('Amount').fill('6')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(water.getByText('6 of 8 glasses today')).toBeVisible()
  })
})

test('every state', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Read', start: daysAgo(20), done: [1, 2, 4].map((ago) => daysAgo(ago)) }])
  const read = await onServer(page, 'Read')
  await call(page, 'put', `/api/habits/${read.id}/days/${daysAgo(3)}`, { state: 'skipped' })
  await complete(page, await keep(page, { name: 'Long run', rhythm: { times: 3, per: 'week' } }), 1)
  const water = await keep(page, { name: 'Drink water', rhythm: daily, target: glasses })
  for (const [ago, value] of [8, 4, 5].entries())
    await call(page, 'post', `/api/habits/${water}/amounts`, { day: daysAgo(ago), value: value * 1_000 })
  const coffee = await keep(page, { name: 'Coffee', rhythm: daily, target: cups })
  await call(page, 'post', `/api/habits/${coffee}/amounts`, { day: daysAgo(1), value: 1_000 })
  await keep(page, { name: 'Spanish', rhythm: { every: 3 } })
  const paused = await keep(page, { name: 'Meditate', rhythm: daily })
  await call(page, 'post', '/api/pauses', { habit_id: paused, from_day: daysAgo(4), to_day: null })
  await openList(page)
  const openDialog = async () => {
    await addButton(page).click()
    await frequency(page).selectOption('weekdays')
    await dialog(page).getByRole('radio', { name: 'Count it' }).check()
  }

  await test.step('is drawn and said as something of its own', async () => {
    await expect(habits(page).getByRole('listitem')).toHaveCount(6)
    const drawn = new Map<string, string>()
    for (const cell of await habits(page).locator('[role=toolbar] [data-day]').all()) {
      const label = (await cell.getAttribute('aria-label')) ?? ''
      const state = /, (done|missed|skipped|paused|not due|unknown|not done)\b/.exec(label)?.[1]
      const look = await cell.locator('> span').getAttribute('class')
      if (state) drawn.set(state, `${drawn.get(state) ?? ''}${look}`)
    }
    expect([...drawn.keys()].sort()).toEqual(
      ['done', 'missed', 'not done', 'not due', 'paused', 'skipped', 'unknown'].sort(),
    )
    expect(new Set(drawn.values()).size).toBe(drawn.size)
  })

  await test.step('fits with text at 200 % on 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    const twice = await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expectNothingSticksOut(page)
    await name(row(page, 'Drink water')).click()
    await row(page, 'Drink water').getByRole('gridcell').first().waitFor()
    await expectNothingSticksOut(page)
    await openDialog()
    await expectNothingSticksOut(page)
    await page.keyboard.press('Escape')
    await name(row(page, 'Drink water')).click()
    await twice.evaluate((style) => style.parentNode?.removeChild(style))
  })

  await test.step('fits from 320 px on and passes the accessibility check in both themes, the dialog too', async () => {
    const judge = () =>
      inEveryLook(page, [320, 1280], async ({ expectNoAxeViolations }) => {
        await expectNothingSticksOut(page)
        await expectNoAxeViolations()
      })
    // What the top bar covers counts as too small.
    await page.evaluate(() => scrollTo(0, 0))
    await judge()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    await name(row(page, 'Drink water')).click()
    await row(page, 'Drink water').getByRole('gridcell').first().waitFor()
    await expectNoAxeViolations(page)
    await openDialog()
    await judge()
  })
})

test('Today counts amounts, and has a square for each time of a week', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await keep(page, { name: 'Drink water', rhythm: daily, target: glasses })
  await keep(page, { name: 'Walk', rhythm: { times: 1, days: 1 } })
  await keep(page, { name: 'Long run', rhythm: { times: 2, days: 2 }, start: 30 })
  await page.goto('/today')
  const water = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: 'Drink water' }) })
  await water.getByRole('button', { name: 'More: Drink water' }).click()
  await expect(water.getByRole('button', { name: 'Enter an amount: Drink water' })).toHaveText(
    '1 of 8 glasses',
  )
  await water.getByRole('checkbox').check()
  await expect(water.getByRole('button', { name: 'Enter an amount: Drink water' })).toHaveText(
    '8 of 8 glasses',
  )
  await expect(page.getByRole('heading', { name: /^Habits/ })).toContainText('1 of')
})

async function anotherDevice(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({
    storageState: await page.context().storageState(),
    baseURL: new URL(page.url()).origin,
    serviceWorkers: 'block',
  })
  return context.newPage()
}
