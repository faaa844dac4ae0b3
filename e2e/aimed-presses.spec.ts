import { expect, type Locator, type Page } from '@playwright/test'
import { runs } from '#testing/runs.ts'
import { rowsOnDevice } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { finger } from './testing/person/finger.ts'
import { call } from './testing/person/given-tasks.ts'
import { whileAnswered } from './testing/person/passing-time.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { listening } from './testing/person/two-devices.ts'
import { keepHabits } from './testing/screens/habit-list.ts'
import { keptTasks, openList, openTasks, row, stopTime, tick, titlesIn } from './testing/screens/todo-list.ts'

// A press goes where it was aimed, whatever other devices do meanwhile. The page's time stands still but for what a sequence lets pass.

test.use({ fakeClock: true })

const tasks = (count: number) => Array.from({ length: count }, (_, place) => `Task ${place + 1}`)

type Elsewhere = 'adds' | 'deletes' | 'completes'

/** Recorded: which row the pointer goes to, in how many moves, and at which of them another device changes what is above it. */
const aimed: readonly { row: number; moves: number; at: number; elsewhere: Elsewhere }[] = [
  { row: 3, moves: 5, at: 1, elsewhere: 'adds' },
  { row: 1, moves: 6, at: 4, elsewhere: 'deletes' },
  { row: 5, moves: 4, at: 3, elsewhere: 'completes' },
  { row: 2, moves: 6, at: 0, elsewhere: 'adds' },
  { row: 6, moves: 5, at: 2, elsewhere: 'adds' },
  { row: 4, moves: 4, at: 3, elsewhere: 'deletes' },
  { row: 1, moves: 5, at: 2, elsewhere: 'completes' },
  { row: 7, moves: 7, at: 6, elsewhere: 'adds' },
  { row: 3, moves: 4, at: 1, elsewhere: 'completes' },
  { row: 2, moves: 3, at: 2, elsewhere: 'adds' },
  { row: 5, moves: 5, at: 4, elsewhere: 'deletes' },
  { row: 0, moves: 5, at: 3, elsewhere: 'adds' },
  { row: 4, moves: 6, at: 5, elsewhere: 'adds' },
  { row: 1, moves: 4, at: 1, elsewhere: 'adds' },
  { row: 2, moves: 5, at: 4, elsewhere: 'deletes' },
]

test('each click ticks the row that the pointer went to, though another device adds, deletes and completes tasks above it', async ({
  page,
}) => {
  const { pass, other, pressed } = await opened(page, tasks(24))
  const wanted: (string | null)[] = []
  for (const [round, { row: place, moves, at, elsewhere }] of aimed.slice(0, runs(15, 6)).entries()) {
    const titles = await titlesIn(openTasks(page))
    const title = titles[place] ?? ''
    wanted.push(title)
    const to = await centre(tick(row(page, title)))
    for (let move = 0; move < moves; move++) {
      const left = moves - 1 - move
      await page.mouse.move(to.x + left * 80, to.y + left * 24)
      if (move === at) await other(elsewhere === 'adds' ? `Added ${round}` : (titles[0] ?? ''), elsewhere)
      await page.clock.runFor(80)
    }
    await page.mouse.down()
    await page.clock.runFor(60)
    await page.mouse.up()
    // Until nobody is aiming any more.
    await page.mouse.move(to.x, to.y + 1)
    await pass(1_000)
  }
  expect(await pressed()).toEqual(wanted)
})

test('20 presses of Space, a few a second, complete 20 tasks from the top', async ({ page }) => {
  const { pass, pressed } = await opened(page, tasks(22))
  await tick(row(page, 'Task 1')).focus()
  for (let press = 0; press < 20; press++) {
    await page.keyboard.press('Space')
    await page.clock.runFor(70)
  }
  expect(await pressed()).toEqual(tasks(20))
  await expect(tick(row(page, 'Task 21'))).toBeFocused()
  await pass(1_000)
  expect(await titlesIn(openTasks(page))).toEqual(['Task 21', 'Task 22', 'News 0'])
  await expect(tick(row(page, 'Task 21'))).toBeFocused()
  await expect
    .poll(async () => (await keptTasks(page)).filter(({ completed }) => completed === 1))
    .toHaveLength(20)
})

test('the row just ticked by Space is one Arrow Up away, and is unticked in its place', async ({ page }) => {
  const { pass } = await opened(page, tasks(3))
  await tick(row(page, 'Task 2')).focus()
  await page.keyboard.press('Space')
  await expect(tick(row(page, 'Task 3'))).toBeFocused()
  await page.clock.runFor(300)
  await page.keyboard.press('ArrowUp')
  await expect(tick(row(page, 'Task 2'))).toBeFocused()
  await page.keyboard.press('Space')
  await expect(tick(row(page, 'Task 2'))).not.toBeChecked()
  // It is looked at again: the focus stays.
  await pass(1_000)
  await expect(tick(row(page, 'Task 2'))).toBeFocused()
  expect(await titlesIn(openTasks(page))).toEqual([...tasks(3), 'News 0'])
})

test('while the pointer goes on moving, rows of other devices come after five seconds, and what changes inside a row at once', async ({
  page,
}) => {
  const { other } = await opened(page, tasks(4))
  const to = await centre(tick(row(page, 'Task 2')))
  await page.mouse.move(to.x, to.y)
  await other('From the phone', 'adds')
  // The title of the last one has changed by then: in its place, and with nothing else moved.
  const before = [...tasks(4), 'News 1']
  expect(await titlesIn(openTasks(page))).toEqual(before)
  let passed = 0
  for (; passed < 6_000 && (await row(page, 'From the phone').count()) === 0; passed += 200) {
    await page.mouse.move(to.x + (passed % 400), to.y)
    await page.clock.runFor(200)
  }
  expect(passed).toBeGreaterThan(4_000)
  expect(passed).toBeLessThanOrEqual(5_000)
  expect(await titlesIn(openTasks(page))).toEqual(['From the phone', ...before])
})

test('a habit that another device adds comes once the pointer over the habits has stood still', async ({
  page,
}) => {
  await page.clock.install()
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Read' }, { name: 'Run' }])
  await listening(page, () => page.goto('/habits'))
  const names = () => page.locator('main [data-row]').getByRole('checkbox').evaluateAll(labels)
  await expect.poll(names).toHaveLength(2)
  const before = await names()
  await settled(page)
  await stopTime(page)
  await page.locator('main [data-row]').last().hover()
  await keepHabits(page, [{ name: 'Swim' }])
  // What was read, or came with the event, is stored on the device.
  await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('Swim')
  await whileAnswered(page, 100)(500)
  expect(await names()).toEqual(before)
  await whileAnswered(page, 500)(1_000)
  await expect.poll(names).toContain('Swim')
})

const labels = (boxes: Element[]) => boxes.map((box) => box.ariaLabel)

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a finger that is down ticks the row that it went down on, though another device deletes the one above', async ({
    page,
  }) => {
    const { pass, other, pressed } = await opened(page, tasks(5))
    const to = await centre(tick(row(page, 'Task 3')))
    const touch = await finger(page)
    await touch('touchStart', to.x, to.y)
    await other('Task 1', 'deletes')
    await touch('touchEnd')
    await expect(tick(row(page, 'Task 3'))).toBeChecked()
    expect(await pressed()).toEqual(['Task 3'])
    await pass(2_000)
    expect(await titlesIn(openTasks(page))).toEqual(['Task 2', 'Task 4', 'Task 5', 'News 1'])
  })
})

/** The page of somebody who has these tasks, with its time stopped. */
async function opened(page: Page, open: readonly string[]) {
  await page.clock.install()
  // The last one tells that the page has heard of what was done elsewhere: its title is changed after it.
  await listening(page, () => openList(page, { open: [...open, 'News 0'] }))
  await page.evaluate(() => {
    const ticked: string[] = []
    Object.assign(window, { ticked })
    document.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) ticked.push(target.ariaLabel ?? '')
    })
  })
  await stopTime(page)
  const { todos }: { todos: { id: string; title: string }[] } = await (
    await page.request.get('/api/todos')
  ).json()
  const ids = new Map(todos.map(({ id, title }) => [title, id]))
  const pathOf = (title: string) => `/api/todos/${ids.get(title)}`
  let news = 0

  return {
    pass: whileAnswered(page, 1_000),
    /** The rows that were ticked, in order. */
    pressed: () => page.evaluate<string[]>('ticked'),
    /** Returns once the page knows of it. */
    async other(title: string, does: Elsewhere) {
      if (does === 'adds') {
        const { todo } = await call(page, 'post', '/api/todos', { title, completed: 0 })
        ids.set(title, todo.id)
      } else if (does === 'completes') await call(page, 'put', pathOf(title), { completed: 1 })
      else await page.request.delete(pathOf(title), { headers: { origin: new URL(page.url()).origin } })
      await call(page, 'put', pathOf('News 0'), { title: `News ${++news}`, completed: 0 })
      await expect(async () => {
        await page.clock.runFor(10)
        expect(await row(page, `News ${news}`).count()).toBe(1)
      }).toPass({ intervals: [25] })
    },
  }
}

async function centre(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox()
  if (!box) throw new Error('It is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
