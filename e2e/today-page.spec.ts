import { expect, type Locator, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, hands, inEveryLook } from './testing/looks/looks.ts'
import { finger, moveFinger } from './testing/person/finger.ts'
import { call, type Given, give, inDays, replaceAll } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { daysAgo, keepHabits } from './testing/screens/habit-list.ts'
import { row, tick, titlesIn, toasts } from './testing/screens/todo-list.ts'

// The page of the person's day.

const field = (page: Page) => page.getByPlaceholder('Add a task for today...')
const group = (page: Page, name: string) => page.getByRole('list', { name: new RegExp(`^${name}`) })
const titles = (page: Page, name: string) => titlesIn(group(page, name))
const done = (page: Page) => page.getByRole('button', { name: /^Done/ })
const entry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Today/ })
const moveToToday = (page: Page) => page.getByRole('button', { name: 'Move to today' })

async function openToday(page: Page, tasks: readonly Given[] = []): Promise<void> {
  await signUpBehindTheScreens(page)
  await give(page, tasks)
  await goThere(page)
}

async function goThere(page: Page): Promise<void> {
  await page.goto('/today')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expect(field(page)).toBeVisible()
}

test('the day, on one page', async ({ page }) => {
  await test.step('so it does for a row that had the focus before all of the page had come', async () => {
    let letCome = () => {}
    const mayCome = new Promise<void>((resolve) => {
      letCome = resolve
    })
    await page.route('**/task-parts-*.js', async (route) => {
      await mayCome
      await route.continue()
    })
    await openToday(page, [{ title: 'Call home' }, { title: 'Write the report' }])
    await tick(row(page, 'Call home')).focus()
    letCome()
    await fetchedLater(page, 'task-parts-')
    // The file has come, but may not have run yet.
    await settled(page)
    await deleteElsewhere(page, 'Call home')
    await expect(tick(row(page, 'Write the report'))).toBeFocused()
    await page.unroute('**/task-parts-*.js')
  })

  await test.step('shows what is overdue, what is due, the habits of the day, and what is done folded', async () => {
    await replaceAll(
      page,
      [
        { title: 'Call home' },
        { title: 'Write the report' },
        { title: 'Renew the passport', due: daysAgo(3) },
        { title: 'Read the draft', due: daysAgo(8) },
        { title: 'Buy milk', done: true },
        { title: 'Plan the trip', due: inDays(1) },
        { title: 'Learn to juggle', due: null },
      ],
      [
        { name: 'Read', start: daysAgo(20), done: [daysAgo(2), daysAgo(1)] },
        { name: 'Vitamins', start: daysAgo(20), done: [daysAgo(0)] },
      ],
    )
    await expect.poll(() => titles(page, 'Overdue')).toEqual(['Read the draft', 'Renew the passport'])
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home', 'Write the report'])
    await expect(page.getByRole('heading', { name: 'Habits 1 of 2' })).toBeVisible()
    await expect.poll(() => titles(page, 'Habits')).toEqual(['Read', 'Vitamins'])
    await expect(page.getByRole('checkbox')).toHaveCount(6)

    await expect(done(page)).toHaveAttribute('aria-expanded', 'false')
    await done(page).click()
    await expect.poll(() => titles(page, 'Done')).toEqual(['Buy milk'])

    await expect(entry(page)).toHaveAccessibleName('Today 4 due')
    await expect(entry(page)).toHaveAttribute('aria-current', 'page')
    // The day stands below the title, so not in the top bar as well.
    await expect(page.getByRole('banner').locator('p')).toHaveCount(0)
    await done(page).click()
  })

  await test.step('leaves the tasks of archived lists out', async () => {
    const { list } = await call(page, 'post', '/api/lists', { name: 'Old', color: 1 })
    await replaceAll(page, [{ title: 'Forgotten', list: list.id }, { title: 'Call home' }])
    await call(page, 'put', `/api/lists/${list.id}`, { archived_at: new Date().toISOString() })
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home'])
    await expect(entry(page)).toHaveAccessibleName('Today 1 due')
  })

  await test.step('what is added here is due today', async () => {
    await replaceAll(page)
    await expect(page.getByText('Nothing is due today')).toBeVisible()
    await field(page).fill('Water the plants')
    await field(page).press('Enter')
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Water the plants'])
    await expect(page.getByText('Nothing is due today')).toHaveCount(0)
    await expect(entry(page)).toHaveAccessibleName('Today 1 due')
    await expect
      .poll(async () => (await (await page.request.get('/api/todos')).json()).todos)
      .toMatchObject([{ title: 'Water the plants', due_day: daysAgo(0) }])
  })

  await test.step('all that is overdue moves to today at once, and Undo gives each its own day back', async () => {
    await replaceAll(page, [
      { title: 'Renew the passport', due: daysAgo(3) },
      { title: 'Read the draft', due: daysAgo(8) },
      { title: 'Call home' },
    ])
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(3)
    await settled(page)
    await moveToToday(page).click()
    await expect
      .poll(() => titles(page, 'Tasks'))
      .toEqual(['Renew the passport', 'Read the draft', 'Call home'])
    await expect(group(page, 'Overdue')).toHaveCount(0)
    await expect(toasts(page)).toContainText('2 tasks moved to today')
    await expect(tick(row(page, 'Read the draft'))).toBeFocused()

    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => titles(page, 'Overdue')).toEqual(['Read the draft', 'Renew the passport'])
    await expect
      .poll(async () => {
        const { todos } = await (await page.request.get('/api/todos')).json()
        return todos.map(({ due_day }: { due_day: string }) => due_day).sort()
      })
      .toEqual([daysAgo(8), daysAgo(3), daysAgo(0)])
    await closeToasts(page)
  })

  await test.step('a ticked task folds into Done, and the focus goes on to the next', async () => {
    await replaceAll(page, [{ title: 'Call home' }, { title: 'Write the report' }])
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home', 'Write the report'])
    await tick(row(page, 'Call home')).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Write the report'])
    await expect(tick(row(page, 'Write the report'))).toBeFocused()
    await expect(done(page)).toHaveText('Done 1')
    await page.keyboard.press('Space')
    await expect(page.getByText('All done for today')).toBeVisible()
    await expect(page.getByText('2 tasks done. The rest of the day is yours.')).toBeVisible()
    await expect(entry(page)).toHaveAccessibleName('Today')
    await closeToasts(page)
  })

  await test.step('a habit is ticked in its place, and the arrows lead from the tasks to the habits', async () => {
    await replaceAll(
      page,
      [{ title: 'Call home' }],
      [
        { name: 'Read', start: daysAgo(20), done: [daysAgo(1)] },
        { name: 'Run', frequency: 'weekly', start: daysAgo(20) },
      ],
    )
    for (const title of ['Call home', 'Read', 'Run']) await expect(tick(row(page, title))).toBeVisible()
    await settled(page)
    await tick(row(page, 'Call home')).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(tick(row(page, 'Run'))).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await expect(tick(row(page, 'Read'))).toBeChecked()
    await expect(page.getByRole('heading', { name: 'Habits 1 of 2' })).toBeVisible()
    await expect(row(page, 'Read')).toContainText('Current streak: 2 days')
    await expect.poll(() => titles(page, 'Habits')).toEqual(['Read', 'Run'])
  })

  await test.step('with nothing due, it leads to the tasks of other days', async () => {
    await replaceAll(page, [
      { title: 'Plan the trip', due: inDays(1) },
      { title: 'Learn to juggle', due: null },
    ])
    await expect(page.getByText('2 open tasks wait for another day.')).toBeVisible()
    await page.getByRole('link', { name: 'Pick one for today' }).click()
    await expect(page).toHaveURL('/todos')
    await entry(page).click()
    await expect(page).toHaveURL('/today')
  })

  await test.step('a due day given here takes the task out of the day', async () => {
    await replaceAll(page, [{ title: 'Call home' }, { title: 'Write the report' }])
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home', 'Write the report'])
    await tick(row(page, 'Call home')).focus()
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('tomorrow')
    await page.keyboard.press('Enter')
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Write the report'])
    await expect(tick(row(page, 'Write the report'))).toBeFocused()
    await closeToasts(page)
  })

  await test.step('what another device deletes takes the focus on to the next row', async () => {
    await replaceAll(page, [{ title: 'Call home' }, { title: 'Write the report' }])
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home', 'Write the report'])
    await fetchedLater(page, 'task-parts-')
    // The file has come, but may not have run yet.
    await settled(page)
    await tick(row(page, 'Call home')).focus()
    await deleteElsewhere(page, 'Call home')
    await expect(tick(row(page, 'Write the report'))).toBeFocused()
    await closeToasts(page)
  })

  await test.step('the timer starts from here', async () => {
    await replaceAll(page)
    const focus = page.getByRole('region', { name: 'Focus timer' })
    await expect(focus).toContainText('No focus yet today')
    await focus.getByRole('button', { name: 'Start' }).click()
    await expect(focus).toContainText('Focusing')
    await focus.getByRole('button', { name: 'Pause' }).click()
    await expect(focus).toContainText('Paused')
  })

  await test.step('with reduced motion a row goes to its place at once', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await replaceAll(page, [{ title: 'Renew the passport', due: daysAgo(3) }, { title: 'Call home' }])
    await moveToToday(page).click()
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Renew the passport', 'Call home'])
    expect(
      await page.evaluate(
        () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
      ),
    ).toBe(0)
  })
})

// By itself: it leaves 400 changes on their way.
test('two hundred overdue tasks are there, move to today at once, and come back with one Undo', async ({
  page,
}) => {
  const many = Array.from({ length: 200 }, (_, place) => ({
    title: `Task ${place}`,
    due: daysAgo(place + 1),
  }))
  await openToday(page, many)
  // Of so many, only those near the window are built.
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  await expect(heading('Overdue 200')).toBeVisible()
  await expect(entry(page)).toHaveAccessibleName('Today 200 due')
  await moveToToday(page).click()
  await expect(heading('Tasks 200')).toBeVisible()
  await expect(toasts(page)).toContainText('200 tasks moved to today')
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await expect(heading('Overdue 200')).toBeVisible()
  await expect
    .poll(async () => {
      const { todos } = await (await page.request.get('/api/todos')).json()
      return new Set(todos.map(({ due_day }: { due_day: string }) => due_day)).size
    })
    .toBe(200)
})

/** Resolves once the page no longer shows it. */
async function deleteElsewhere(page: Page, title: string): Promise<void> {
  const { todos } = await (await page.request.get('/api/todos')).json()
  const { id } = todos.find((todo: { title: string }) => todo.title === title)
  const { origin } = new URL((await page.request.get('/api/health')).url())
  await page.request.delete(`/api/todos/${id}`, { headers: { origin } })
  await expect(row(page, title)).toHaveCount(0)
}

test.describe('without a connection', () => {
  test.use({ mayLog: /ERR_INTERNET_DISCONNECTED|Could not read|session could not be read/ })

  test('it takes tasks and ticks all the same', async ({ page, context }) => {
    await openToday(page, [{ title: 'Call home' }])
    await expect(tick(row(page, 'Call home'))).toBeVisible()
    await fetchedLater(page, 'toaster-')
    await settled(page)
    await context.setOffline(true)
    await field(page).fill('Water the plants')
    await field(page).press('Enter')
    await expect.poll(() => titles(page, 'Tasks')).toEqual(['Water the plants', 'Call home'])
    await tick(row(page, 'Call home')).check()
    await expect(done(page)).toHaveText('Done 1')
    await context.setOffline(false)
    await expect
      .poll(async () => {
        const { todos } = await (await page.request.get('/api/todos')).json()
        return todos.map(
          ({ title, completed }: { title: string; completed: number }) => `${title} ${completed}`,
        )
      })
      .toEqual(expect.arrayContaining(['Water the plants 0', 'Call home 1']))
  })
})

test.describe('by the clock', () => {
  test.use({ timezoneId: 'Europe/Copenhagen', mayLog: /Could not read|session could not be read/ })

  test('the day by the clock, from one zone and day start to another', async ({ page }) => {
    await test.step('in a zone far away the day is that of the zone, not of the browser', async () => {
      await signUpBehindTheScreens(page)
      await call(page, 'patch', '/api/preferences', { time_zone: 'Pacific/Auckland' })
      await give(page, [
        { title: 'Call home', due: '2026-05-18' },
        { title: 'Write the report', due: '2026-05-19' },
      ])
      // In Copenhagen it is still 18 May.
      await page.clock.install({ time: '2026-05-18T13:00:00.000Z' })
      await goThere(page)
      await expect.poll(() => titles(page, 'Overdue')).toEqual(['Call home'])
      await expect.poll(() => titles(page, 'Tasks')).toEqual(['Write the report'])
    })

    await test.step('late in the day tasks can move to tomorrow, but not those that come back then anyway', async () => {
      await call(page, 'patch', '/api/preferences', { time_zone: 'Europe/Copenhagen' })
      await settled(page)
      await page.clock.pauseAt('2026-05-19T19:00:00.000Z')
      await page.clock.resume()
      await replaceAll(page, [{ title: 'Call home', due: '2026-05-19' }])
      await call(page, 'post', '/api/todos', {
        title: 'Stretch',
        completed: 0,
        due_day: '2026-05-19',
        at: '2026-05-01T12:00:00.000Z',
        repeat: { freq: 'day', every: 1, mode: 'due', from: '2026-05-01' },
      })
      await expect.poll(() => titles(page, 'Tasks')).toHaveLength(2)
      await page.getByRole('button', { name: 'Move to tomorrow' }).click()
      await expect.poll(() => titles(page, 'Tasks')).toEqual(['Stretch'])
      await expect(toasts(page)).toContainText('1 task moved to tomorrow')
      await expect(toasts(page)).toContainText('1 task will come back anyway.')
    })

    await test.step('at midnight what was due becomes overdue', async () => {
      await settled(page)
      await page.clock.pauseAt('2026-05-20T16:00:00.000Z')
      await page.clock.resume()
      await replaceAll(page, [{ title: 'Call home', due: '2026-05-20' }])
      await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home'])
      const moveToTomorrow = page.getByRole('button', { name: 'Move to tomorrow' })
      await expect(moveToTomorrow).toHaveCount(0)
      await page.clock.pauseAt('2026-05-20T19:00:00.000Z')
      await expect(moveToTomorrow).toBeVisible()
      await page.clock.pauseAt('2026-05-20T22:00:10.000Z')
      await expect.poll(() => titles(page, 'Overdue')).toEqual(['Call home'])
      await expect(page.getByText('Thursday, May 21')).toBeVisible()
      await page.clock.resume()
    })

    await test.step('what was due stays due after midnight, and is overdue from four on', async () => {
      await call(page, 'patch', '/api/preferences', { day_start: 240, time_zone: 'Europe/Copenhagen' })
      await settled(page)
      await page.clock.pauseAt('2026-05-20T23:30:00.000Z')
      await page.clock.resume()
      await replaceAll(page, [{ title: 'Call home', due: '2026-05-20' }])
      // Half past one on 21 May.
      await expect.poll(() => titles(page, 'Tasks')).toEqual(['Call home'])
      await expect(page.getByText('Wednesday, May 20')).toBeVisible()
      await page.clock.pauseAt('2026-05-21T02:00:10.000Z')
      await expect.poll(() => titles(page, 'Overdue')).toEqual(['Call home'])
      await expect(page.getByText('Thursday, May 21')).toBeVisible()
    })
  })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the day under a finger', async ({ page }) => {
    const touch = await finger(page)
    await test.step('a swipe to the right ticks, one to the left asks for the date, and neither scrolls', async () => {
      const many = Array.from({ length: 30 }, (_, place) => ({ title: `Task ${place}` }))
      await openToday(page, many)
      await settled(page)
      const middle = async (title: string) => {
        const box = await row(page, title).boundingBox()
        if (!box) throw new Error(`${title} is not shown`)
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      }
      await moveFinger(touch, await middle('Task 3'), { x: 150, y: -40 })
      expect(await page.evaluate(() => scrollY)).toBe(0)
      await touch('touchEnd')
      await expect(done(page)).toHaveText('Done 1')
      await moveFinger(touch, { ...(await middle('Task 4')), x: 300 }, { x: -150 })
      await touch('touchEnd')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Tomorrow/ })
        .tap()
      await expect(row(page, 'Task 4')).toHaveCount(0)
      await moveFinger(touch, await middle('Task 8'), { x: 40, y: -200 })
      await touch('touchEnd')
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50)
      await expect(row(page, 'Task 8')).toHaveCSS('translate', 'none')
    })

    await test.step('a swipe to the right ticks a habit, and one to the left leaves it where it is', async () => {
      await closeToasts(page)
      await replaceAll(
        page,
        [{ title: 'Call home' }],
        [{ name: 'Read', start: daysAgo(20), done: [daysAgo(1)] }],
      )
      await row(page, 'Read').waitFor()
      await settled(page)
      const placeOf = async (locator: Locator) => {
        const box = await locator.boundingBox()
        if (!box) throw new Error('It is not shown')
        const { x, y, width, height } = box
        return { x: x + width / 2, y: y + height / 2, top: y, height }
      }
      await moveFinger(touch, await placeOf(row(page, 'Read')), { x: 150 })
      const { top, height } = await placeOf(row(page, 'Read'))
      const ground = await placeOf(page.locator('[data-swipe=complete]'))
      expect(ground, 'it lies right behind').toMatchObject({ top, height })
      await touch('touchEnd')
      await expect(tick(row(page, 'Read'))).toBeChecked()
      // It glides back first.
      await expect(row(page, 'Read')).toHaveCSS('translate', 'none')
      const { x, y } = await placeOf(row(page, 'Read'))
      await moveFinger(touch, { x: 300, y }, { x: -150 })
      expect((await placeOf(row(page, 'Read'))).x).toBe(x)
      await touch('touchEnd')
      await expect(tick(row(page, 'Read'))).toBeChecked()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    await test.step('with text at twice the size everything fits into 320 px', async () => {
      await replaceAll(page, [{ title: 'Call home' }, { title: 'Renew the passport', due: daysAgo(3) }])
      await row(page, 'Call home').waitFor()
      await page.setViewportSize({ width: 320, height: 800 })
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      await expectNothingSticksOut(page)
      await expectNoAxeViolations(page)
    })
  })
})

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}`, () => {
    test.use(use)

    test('fits, has names and enough contrast: full, empty and all done', async ({ page }) => {
      await openToday(page)
      await expect(page.getByText('Nothing is due today')).toBeVisible()
      const judge = () =>
        inEveryLook(page, widths, async (look) => {
          await expectNothingSticksOut(page)
          await look.expectNoAxeViolations()
        })
      await judge()
      await give(page, [{ title: 'Buy milk', done: true }])
      await expect(page.getByText('All done for today')).toBeVisible()
      await judge()
      await give(page, [
        { title: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen', due: daysAgo(300) },
        { title: 'Call home' },
      ])
      await keepHabits(page, [{ name: 'Read', start: daysAgo(20), done: [daysAgo(1)] }])
      await expect(tick(row(page, 'Read'))).toBeVisible()
      await settled(page)
      await done(page).click()
      await judge()
    })
  })
}
