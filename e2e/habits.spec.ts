import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { isReadOf, readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import { resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { expectOnlyErrorToast } from './testing/screens/error-toast.ts'
import {
  addButton,
  days,
  daysAgo,
  dialog,
  edit,
  habits,
  inWords,
  type KeptHabit,
  keepHabits,
  name,
  openHabits,
  remove,
  row,
  saidDays,
  saidHabits,
  streak,
  tick,
  toasts,
  watchChanges,
} from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

const title = (page: Page) => dialog(page).getByLabel('Habit Title')
const description = (page: Page) => dialog(page).getByLabel('Description')
const frequency = (page: Page) => dialog(page).getByLabel('Frequency')
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Add Habit' })
const cancel = (page: Page) => dialog(page).getByRole('button', { name: 'Cancel' })
const toast = (page: Page, text: string) => toasts(page).filter({ hasText: text })

async function said(page: Page, name: string) {
  const habit = (await saidHabits(page)).find((each) => each.name === name)
  if (!habit) throw new Error(`There is no ${name}`)
  return habit
}

const saidNames = async (page: Page) => (await saidHabits(page)).map(({ name }) => name)

test('the screen of a new person, and its dialog', async ({ page }) => {
  await openHabits(page)

  await test.step("has the title 'Habits', the subtitle and an 'Add Habit' button", async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Habits')
    await expect(page.getByText('Track your daily and weekly habits')).toBeVisible()
    await expect(addButton(page)).toBeVisible()
    await expect(page).toHaveTitle('Habits · Daymark')
  })

  await test.step("says 'No habits found. Start by creating one!' and makes its other button less prominent", async () => {
    await expect(page.getByText('No habits found. Start by creating one!')).toBeVisible()
    const buttons = page.getByRole('main').getByRole('button', { name: 'Add Habit' })
    await expect(buttons).toHaveCount(2)
    const colours = await buttons.evaluateAll((them) =>
      them.map((it) => getComputedStyle(it).backgroundColor),
    )
    expect(colours[0]).not.toBe(colours[1])
    await buttons.last().click()
    await expect(dialog(page)).toBeVisible()
    await cancel(page).click()
    await expect(dialog(page)).toHaveCount(0)
  })

  await test.step("the dialog 'Add New Habit' has a required title, a description, a frequency and two buttons", async () => {
    await addButton(page).click()
    await expect(dialog(page)).toHaveAccessibleName('Add New Habit')
    await expect(title(page)).toBeFocused()
    await expect(title(page)).toHaveAttribute('aria-required', 'true')
    await expect(dialog(page).getByText('Habit Title *')).toBeVisible()
    await expect(dialog(page).getByText('Description (optional)')).toBeVisible()
    const options = await frequency(page).getByRole('option').allTextContents()
    expect(options.slice(0, 2)).toEqual(['Daily', 'Weekly'])
    await expect(frequency(page)).toHaveValue('daily')
    await expect(cancel(page)).toBeVisible()
    await expect(submit(page)).toBeVisible()
    await cancel(page).click()
  })

  for (const [how, close] of [
    ['Cancel', () => cancel(page).click()],
    ['Escape', () => page.keyboard.press('Escape')],
    ['the cross', () => dialog(page).getByRole('button', { name: 'Close' }).click()],
  ] as const) {
    await test.step(`${how} closes and resets the dialog, and adds nothing`, async () => {
      const sent = watchChanges(page)
      await addButton(page).click()
      await title(page).fill('Never mind')
      await description(page).fill('Really')
      await frequency(page).selectOption('weekly')
      await close()
      await expect(dialog(page)).toHaveCount(0)
      await expect(addButton(page)).toBeFocused()
      await addButton(page).click()
      await expectBlank(page)
      expect(sent).toEqual([])
      await cancel(page).click()
    })
  }

  await test.step('Add Habit is disabled while the trimmed title is empty', async () => {
    const sent = watchChanges(page)
    await addButton(page).click()
    await expect(submit(page)).toBeDisabled()
    await title(page).fill('   ')
    await expect(submit(page)).toBeDisabled()
    await title(page).press('Enter')
    await expect(dialog(page)).toBeVisible()
    await title(page).fill('Read')
    await expect(submit(page)).toBeEnabled()
    expect(sent).toEqual([])
    await cancel(page).click()
  })

  await test.step('after an add the dialog closes, and is empty and daily again', async () => {
    await addButton(page).click()
    await title(page).fill('Long run')
    await description(page).fill('Along the canal')
    await frequency(page).selectOption('Weekly')
    await submit(page).click()
    await expect(dialog(page)).toHaveCount(0)
    const running = row(page, 'Long run')
    await expect(running.getByText('Along the canal')).toBeVisible()
    await expect(running.getByText('Weekly', { exact: true })).toBeVisible()
    await expect(addButton(page)).toBeFocused()
    await addButton(page).click()
    await expectBlank(page)
    await expect
      .poll(async () => (await saidHabits(page)).map(({ frequency }) => frequency))
      .toEqual(['weekly'])
    await cancel(page).click()
  })

  await test.step('title and description are trimmed before sending, and the description is optional', async () => {
    await settled(page)
    const sent = watchChanges(page)
    for (const [typed, about] of [
      ['  Draw  ', '\n Before bed  '],
      ['Swim', ''],
    ] as const) {
      await addButton(page).click()
      await title(page).fill(typed)
      await description(page).fill(about)
      await title(page).press('Enter')
      await expect(dialog(page)).toHaveCount(0)
    }
    await expect.poll(() => sent).toHaveLength(2)
    expect(sent.map(({ body }) => body)).toMatchObject([
      { name: 'Draw', description: 'Before bed', frequency: 'daily' },
      { name: 'Swim', description: '', frequency: 'daily' },
    ])
  })

  await test.step('the requests are those that the API promises, with the cookie', async () => {
    await settled(page)
    const sent = watchChanges(page)
    const headers: Promise<Record<string, string>>[] = []
    const noteHeaders = (request: Request) => {
      if (request.url().includes('/api/habits')) headers.push(request.allHeaders())
    }
    page.on('request', noteHeaders)
    await addButton(page).click()
    await title(page).fill('Read')
    await submit(page).click()
    await tick(row(page, 'Read')).check()
    await tick(row(page, 'Read')).uncheck()
    await remove(row(page, 'Read')).click()
    await expect.poll(() => sent).toHaveLength(4)
    const today = daysAgo(0)
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: '/api/habits',
        body: { name: 'Read', description: '', frequency: 'daily', start_date: today },
      },
      { method: 'POST', path: '/api/habits/{id}/complete', body: { date: today, completed: true } },
      { method: 'DELETE', path: `/api/habits/{id}/completions?from=${today}&to=${today}` },
      { method: 'DELETE', path: '/api/habits/{id}' },
    ])
    page.off('request', noteHeaders)
    expect(headers.length).toBeGreaterThan(3)
    for (const sent of await Promise.all(headers)) expect(sent).toHaveProperty('cookie')
  })

  await test.step('text that is too long shows an error, stays in the dialog, and is not sent', async () => {
    await settled(page)
    const sent = watchChanges(page)
    await addButton(page).click()
    await title(page).fill('x'.repeat(501))
    await expect(title(page)).toHaveAccessibleDescription('Habit title must not exceed 500 characters')
    await title(page).press('Enter')
    await expect(title(page)).toHaveValue('x'.repeat(501))
    await title(page).fill('x'.repeat(500))
    await description(page).fill('y'.repeat(5_001))
    await expect(description(page)).toHaveAccessibleDescription('Description must not exceed 5000 characters')
    await submit(page).click()
    expect(sent).toEqual([])
    await description(page).fill('y'.repeat(5_000))
    await submit(page).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => sent).toHaveLength(1)
  })
})

async function expectBlank(page: Page) {
  await expect(title(page)).toHaveValue('')
  await expect(description(page)).toHaveValue('')
  await expect(frequency(page)).toHaveValue('daily')
}

test('while the habits load', async ({ page }) => {
  const letGo = await holdRequest(page, readsOf('habits'))
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Read 20 pages', description: 'Before bed' }])
  await page.goto('/habits')
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached()
  // The box of the first row, and the square of its first day.
  const squares = page.locator('[aria-hidden=true] .bg-heat-0')
  const places = () =>
    page.evaluate(() => {
      const middle = (element: Element | null | undefined) => {
        const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
        return [Math.round(x + width / 2), Math.round(y + height / 2)]
      }
      const skeleton = document.querySelector('[role=status] + [aria-hidden=true]')
      const habit = document.querySelector('[data-row]')
      return [
        middle(skeleton?.firstElementChild ?? habit?.querySelector('input')),
        middle(skeleton?.children[2]?.firstElementChild ?? habit?.querySelector('[data-day]')),
        middle(document.querySelector('h1')),
      ]
    })
  const before = new Map<number, number[][]>()
  for (const width of [360, 1280]) {
    await resize(page, width)
    await expect(squares.first()).toBeVisible()
    before.set(width, await places())
  }
  letGo()
  for (const width of [1280, 360]) {
    await test.step(`shows a skeleton while loading, and nothing moves when the habits arrive, ${width} px`, async () => {
      await resize(page, width)
      await expect(row(page, 'Read 20 pages')).toBeVisible()
      await expect(squares).toHaveCount(0)
      expect(await places()).toEqual(before.get(width))
    })
  }
})

test('what a list shows, and what is done in it', async ({ page }) => {
  const monday = (new Date().getUTCDay() + 6) % 7
  const thisWeek = Array.from({ length: monday + 1 }, (_, ago) => daysAgo(ago)).reverse()
  const kept: KeptHabit[] = [
    { name: 'Read 20 pages', description: 'Before bed, phone in the other room' },
    { name: 'Long run', frequency: 'weekly' },
    { name: 'Read', done: [daysAgo(0), daysAgo(1), daysAgo(3)] },
    { name: 'Run', frequency: 'weekly', done: [daysAgo(0), daysAgo(7), daysAgo(14)] },
    { name: 'Stretch', done: [daysAgo(0)] },
    { name: 'Draw' },
    { name: 'Meditate', done: [daysAgo(1), daysAgo(2)] },
    { name: 'Swim', frequency: 'weekly', done: [...thisWeek, daysAgo(monday + 1)] },
    { name: 'Practise', done: [1, 2, 4, 5, 6, 7, 8, 20].map((ago) => daysAgo(ago)) },
    { name: 'Garden', done: [daysAgo(0), daysAgo(1)] },
    { name: 'Write', description: 'Before bed', done: [daysAgo(0), daysAgo(1)] },
  ]
  await openHabits(page, kept)

  await test.step('each row has a checkbox labelled with the habit, its name, description, badge and delete icon', async () => {
    await expect(habits(page).getByRole('listitem')).toHaveCount(kept.length)
    const reading = row(page, 'Read 20 pages')
    await expect(reading.getByRole('checkbox').first()).toHaveAccessibleName('Read 20 pages')
    await expect(name(reading)).toHaveText('Read 20 pages')
    await expect(reading.getByText('Before bed, phone in the other room')).toBeVisible()
    await expect(reading.getByText('Daily', { exact: true })).toBeVisible()
    await expect(row(page, 'Long run').getByText('Weekly', { exact: true })).toBeVisible()
    await expect(remove(reading)).toHaveCount(1)
    await expect(remove(reading).locator('svg')).toBeHidden()
    await reading.hover()
    await expect(remove(reading).locator('svg')).toBeVisible()
  })

  await test.step('shows the last seven days, today last and marked, and the streak with its unit', async () => {
    const names = await days(row(page, 'Read')).evaluateAll((them) => them.map((it) => it.ariaLabel))
    expect(names).toEqual(
      ['not due', 'not due', 'not due', 'done', 'missed', 'done', 'done'].map(
        (state, place) => `Read, ${inWords(daysAgo(6 - place))}, ${state}`,
      ),
    )
    await expect(days(row(page, 'Read')).last()).toHaveAttribute('aria-current', 'date')
    const pressed = await days(row(page, 'Read')).evaluateAll((them) => them.map((it) => it.ariaPressed))
    expect(pressed).toEqual(['false', 'false', 'false', 'true', 'false', 'true', 'true'])
    await expect(streak(row(page, 'Read'))).toHaveText('Current streak: 2 days')
    await expect(streak(row(page, 'Run'))).toHaveText('Current streak: 3 weeks')
    await expect(streak(row(page, 'Stretch'))).toHaveText('Current streak: 1 day')
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 0 days')
  })

  await test.step('the checkbox completes today and undoes it, and the streak follows', async () => {
    const meditating = row(page, 'Meditate')
    await tick(meditating).check()
    await expect(tick(meditating)).toBeChecked()
    await expect(streak(meditating)).toHaveText('Current streak: 3 days')
    await expect.poll(() => saidDays(page, 'Meditate')).toEqual([daysAgo(2), daysAgo(1), daysAgo(0)])
    await tick(meditating).uncheck()
    await expect(streak(meditating)).toHaveText('Current streak: 2 days')
    await expect.poll(() => saidDays(page, 'Meditate')).toEqual([daysAgo(2), daysAgo(1)])
  })

  await test.step('any day of the week completes a weekly habit, and unchecking it clears the whole week', async () => {
    const swimming = row(page, 'Swim')
    await expect(tick(swimming)).toBeChecked()
    await expect(streak(swimming)).toHaveText('Current streak: 2 weeks')
    await tick(swimming).uncheck()
    await expect(streak(swimming)).toHaveText('Current streak: 1 week')
    await expect.poll(() => saidDays(page, 'Swim')).toEqual([daysAgo(monday + 1)])
    await tick(swimming).check()
    await expect(streak(swimming)).toHaveText('Current streak: 2 weeks')
    await expect.poll(() => saidDays(page, 'Swim')).toEqual([daysAgo(monday + 1), daysAgo(0)])
  })

  await test.step('the streak shown at once is the one that the server then returns, without another in between', async () => {
    await settled(page)
    const practising = row(page, 'Practise')
    const shown = await watchTexts(streak(practising))
    const said: number[] = []
    for (const ago of [3, 0, 1, 2, 1]) {
      const completed = page.waitForResponse((response) => response.url().endsWith('/complete'))
      const readAgain = page.waitForResponse((response) => isReadOf('habits', response.request()))
      await days(practising)
        .nth(6 - ago)
        .click()
      said.push((await (await completed).json()).habit.current_streak)
      await readAgain
    }
    expect(said).toEqual([8, 9, 1, 1, 2])
    await expect(streak(practising)).toHaveText('Current streak: 2 days')
    expect(await shown()).toEqual(
      ['8 days', '9 days', '1 day', '2 days'].map((text) => `Current streak: ${text}`),
    )
  })

  await test.step("'Edit Habit' changes only what was edited", async () => {
    await settled(page)
    const sent = watchChanges(page)
    await name(row(page, 'Write')).click()
    await edit(row(page, 'Write')).click()
    await expect(dialog(page)).toHaveAccessibleName('Edit Habit')
    await expect(title(page)).toHaveValue('Write')
    await expect(description(page)).toHaveValue('Before bed')
    await title(page).fill('  Write 20 pages ')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(edit(row(page, 'Write 20 pages'))).toBeFocused()
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]).toEqual({
      method: 'PUT',
      path: '/api/habits/{id}',
      body: { name: 'Write 20 pages', at: expect.any(String) },
    })
    await edit(row(page, 'Write 20 pages')).click()
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page)).toHaveCount(0)
    expect(sent).toHaveLength(1)
    await name(row(page, 'Write 20 pages')).click()
  })

  await test.step('deleting removes the habit and names it, and Undo brings it back as it was', async () => {
    const all = await saidNames(page)
    await remove(row(page, 'Garden')).click()
    await expect(row(page, 'Garden')).toHaveCount(0)
    await expect(toasts(page)).toContainText('Habit deleted')
    await expect(toasts(page)).toContainText('Garden')
    await expect.poll(() => saidNames(page)).toEqual(all.filter((name) => name !== 'Garden'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Garden')).toBeVisible()
    await expect(streak(row(page, 'Garden'))).toHaveText('Current streak: 2 days')
    await expect(tick(row(page, 'Garden'))).toBeFocused()
    await expect.poll(() => saidNames(page)).toEqual(all)
  })
})

/** Every text that it shows from now on, in order. */
async function watchTexts(text: Locator): Promise<() => Promise<unknown>> {
  await text.evaluate((element) => {
    const texts: (string | null)[] = []
    let last = element.textContent
    const look = () => {
      if (element.textContent !== last) texts.push(element.textContent)
      last = element.textContent
    }
    new MutationObserver(look).observe(element, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { texts })
  })
  return () => text.page().evaluate('texts')
}

test('what shows before the server has responded', async ({ page }) => {
  await openHabits(page, [
    { name: 'Stretch', done: [0, 7, 14, 21].map((ago) => daysAgo(ago)) },
    { name: 'Practise', done: [0, 1, 3, 4, 5].map((ago) => daysAgo(ago)) },
    { name: 'Read' },
    { name: 'Run' },
  ])

  await test.step('a new frequency recalculates at once, as the server then does', async () => {
    const stretching = row(page, 'Stretch')
    await name(stretching).click()
    await expect(stretching.getByRole('gridcell').first()).toBeVisible()
    await expect(stretching.getByRole('table', { includeHidden: true })).toBeAttached()
    const letGo = await holdRequest(page, '**/api/habits/*')
    await edit(stretching).click()
    await frequency(page).selectOption('weekly')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(streak(stretching)).toHaveText('Current streak: 4 weeks')
    expect((await said(page, 'Stretch')).frequency).toBe('daily')
    letGo()
    await expect.poll(async () => (await said(page, 'Stretch')).frequency).toBe('weekly')
    expect(await said(page, 'Stretch')).toMatchObject({ current_streak: 4, longest_streak: 4 })
    await name(stretching).click()
    await settled(page)
  })

  // What follows never gets a response.
  await page.route('**/api/habits{,/**}', () => {})
  await page.route(readsOf('habits'), () => {})

  await test.step('each of the last seven days can be set and unset, and the streak is right at once', async () => {
    const practising = row(page, 'Practise')
    const day = (ago: number) => days(practising).nth(6 - ago)
    await day(2).click()
    await expect(day(2)).toHaveAccessibleName(`Practise, ${inWords(daysAgo(2))}, done`)
    await expect(streak(practising)).toHaveText('Current streak: 6 days')
    await day(0).click()
    await expect(tick(practising)).not.toBeChecked()
    await expect(streak(practising)).toHaveText('Current streak: 5 days')
    await day(1).click()
    await expect(streak(practising)).toHaveText('Current streak: 0 days')
  })

  await test.step('adding, completing, editing and deleting show at once, before the server responds', async () => {
    const before = await saidNames(page)
    await addButton(page).click()
    await title(page).fill('Draw')
    await submit(page).click()
    await expect(row(page, 'Draw')).toBeVisible()
    await tick(row(page, 'Draw')).check()
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 1 day')
    await remove(row(page, 'Read')).click()
    await expect(row(page, 'Read')).toHaveCount(0)
    expect(before).toEqual(['Stretch', 'Practise', 'Read', 'Run'])
    expect(await saidNames(page)).toEqual(before)
  })
})

test('the list is fresh for 60 seconds', async ({ page }) => {
  await page.clock.install()
  await withoutEvents(page)
  await openHabits(page, [{ name: 'Read' }])
  // A read that is still in progress would be fresh from its arrival on.
  await settled(page)
  let reads = 0
  page.on('request', (request) => {
    if (isReadOf('habits', request)) reads += 1
  })
  const there = async () => {
    await page.getByRole('link', { name: 'Todos' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Todo List')
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(row(page, 'Read')).toBeVisible()
    // Skipping time would break off what is still under way.
    await settled(page)
  }
  await page.clock.fastForward(50_000)
  await there()
  expect(reads).toBe(0)
  await page.clock.fastForward(11_000)
  await there()
  await expect.poll(() => reads).toBe(1)
})

test.describe('failures are rolled back and shown', () => {
  test.use({ mayLog: /Failed to (load resource|(add|update|delete|restore) habit)|Could not read habits/ })

  const refuse = (page: Page, method: string) =>
    page.route('**/api/habits{,/**}', (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
        : route.fallback(),
    )

  test('whatever it was', async ({ page }) => {
    await signUpBehindTheScreens(page)

    await test.step('a list that cannot be loaded says so and can be retried', async () => {
      let broken = true
      await page.route(readsOf('habits'), (route) =>
        broken
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
          : route.fallback(),
      )
      await page.goto('/habits')
      await expect(page.getByText("Your habits couldn't be loaded.")).toBeVisible()
      broken = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No habits found. Start by creating one!')).toBeVisible()
      await settled(page)
    })

    const names = ['Read', 'Run', 'Draw', 'Sing']
    await keepHabits(
      page,
      names.map((name) => ({ name, done: name === 'Draw' ? [daysAgo(1)] : [] })),
    )
    for (const name of names) await row(page, name).waitFor()
    await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 1 day')

    await test.step('a deletion that fails is rolled back, and its error replaces the offer to undo it; so does a failed Undo', async () => {
      await refuse(page, 'DELETE')
      await remove(row(page, 'Read')).click()
      await expectOnlyErrorToast(page, 'Failed to delete habit')
      await expect(habits(page).getByRole('listitem')).toHaveCount(names.length)
      await page.unroute('**/api/habits{,/**}')
      await refuse(page, 'POST')
      await remove(row(page, 'Run')).click()
      await toast(page, 'Run').getByRole('button', { name: 'Undo' }).click()
      await expect(toast(page, 'Failed to restore habit')).toBeVisible()
      await expect(row(page, 'Run')).toHaveCount(0)
    })

    await test.step("a completion that fails: 'Failed to update habit'", async () => {
      await tick(row(page, 'Draw')).click()
      await expect(toast(page, 'Failed to update habit')).toContainText('Draw')
      await expect(tick(row(page, 'Draw'))).not.toBeChecked()
      await expect(streak(row(page, 'Draw'))).toHaveText('Current streak: 1 day')
    })

    await test.step('an add that fails is rolled back and shown', async () => {
      await addButton(page).click()
      await title(page).fill('Swim')
      await submit(page).click()
      await expect(toast(page, 'Failed to add habit')).toBeVisible()
      await expect(row(page, 'Swim')).toHaveCount(0)
      await expect(row(page, 'Sing')).toBeVisible()
      await page.unroute('**/api/habits{,/**}')
    })

    await test.step('an edit that fails is rolled back and shown', async () => {
      await refuse(page, 'PUT')
      await name(row(page, 'Sing')).click()
      await edit(row(page, 'Sing')).click()
      await title(page).fill('Sing a song')
      await title(page).press('Enter')
      await expect(toast(page, 'Failed to update habit').filter({ hasText: 'Sing' })).toBeVisible()
      await expect(row(page, 'Sing')).toBeVisible()
    })
  })
})
