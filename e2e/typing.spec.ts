import { expect, type Page, type Response } from '@playwright/test'
import { isDeep, randomBelow, runs } from '#testing/runs.ts'
import { takeSeed } from '#testing/seed.ts'
import { sentChanges } from './testing/connection/sent-changes.ts'
import { settled } from './testing/connection/settled.ts'
import { call } from './testing/person/given-tasks.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { listening } from './testing/person/two-devices.ts'
import * as habits from './testing/screens/habit-list.ts'
import { addLists, choose, link, nameField, newList } from './testing/screens/list-groups.ts'
import { fullName } from './testing/screens/settings.ts'
import { details, kept, newSubtask, noteOf, openDetails, titleOf } from './testing/screens/task-details.ts'
import { edit, field, keptTasks, row, tick, titleField, toasts } from './testing/screens/todo-list.ts'

// Somebody types while everything else happens that can: each letter belongs to their field.

// What is refused, or asked after the sign-out, is told in the console.
test.use({ timezoneId: 'UTC', mayLog: /status of 40[14]|: 404 |could not|answered 401/i })

const editedTask = 'Water the plants'
const otherTasks = ['Feed the cat', 'Call Ada', 'Pay the rent', 'Wash the car']
const editedList = 'Garden'
const editedHabit = 'Read 20 pages'

interface Editor {
  name: string
  path: string
  /** Opens it, and leaves the focus in it. */
  open(page: Page): Promise<unknown>
  /** What it edits, which another device may delete. */
  edits?: 'todos' | 'lists' | 'habits'
  /** Each line is sent with Enter, and makes a row of its own. */
  lines?: true
}

const editors: readonly Editor[] = [
  { name: 'the add field', path: '/todos', lines: true, open: (page) => page.keyboard.press('n') },
  { name: 'the add field of Today', path: '/today', lines: true, open: (page) => page.keyboard.press('n') },
  {
    name: "a row's title",
    path: '/todos',
    edits: 'todos',
    open: (page) => edit(row(page, editedTask)).click(),
  },
  { name: 'the title in the details', path: '/todos', edits: 'todos', open: (page) => within(page, titleOf) },
  { name: 'a note', path: '/todos', edits: 'todos', open: (page) => within(page, noteOf) },
  { name: 'a new subtask', path: '/todos', edits: 'todos', open: (page) => within(page, newSubtask) },
  {
    name: "a list's name",
    path: '/todos',
    edits: 'lists',
    open: async (page) => {
      await choose(page, editedList, 'Rename')
      await expect(nameField(page)).toBeFocused()
    },
  },
  {
    name: "a list's name on its page",
    path: '/todos',
    edits: 'lists',
    open: async (page) => {
      await link(page, editedList).click()
      await page
        .getByRole('main')
        .getByRole('button', { name: `Options for ${editedList}` })
        .click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('dialog').getByLabel('Name').focus()
    },
  },
  {
    name: "a new list's name",
    path: '/todos',
    open: async (page) => {
      await newList(page).click()
      await expect(nameField(page)).toBeFocused()
    },
  },
  {
    name: 'the dialog of a habit',
    path: '/habits',
    edits: 'habits',
    open: async (page) => {
      await habits.name(habits.row(page, editedHabit)).click()
      await habits.edit(habits.row(page, editedHabit)).click()
      await habits.dialog(page).getByLabel('Description').focus()
    },
  },
  {
    name: 'a new habit',
    path: '/habits',
    open: async (page) => {
      await habits.addButton(page).click()
      await habits.dialog(page).getByLabel('Habit Title').focus()
    },
  },
  {
    name: 'a session',
    path: '/focus',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add a session' }).click()
      await page.getByRole('dialog').getByLabel('Focused').focus()
    },
  },
  { name: 'the profile', path: '/settings', open: (page) => fullName(page).focus() },
  {
    name: 'the palette',
    path: '/todos',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    },
  },
]

async function within(page: Page, part: typeof titleOf) {
  await openDetails(page, editedTask)
  await part(page).focus()
}

interface Rows {
  todos: { id: string; title: string }[]
  lists: { id: string; name: string }[]
  habits: { id: string; name: string }[]
}

async function rowsOf(page: Page): Promise<Rows> {
  const [todos, lists, habits] = await Promise.all(
    ['/api/todos', '/api/lists', '/api/habits'].map(async (path) => (await page.request.get(path)).json()),
  )
  return { todos: todos.todos, lists: lists.lists, habits: habits.habits }
}

type Happening = (page: Page, editor: Editor, rows: Rows) => Promise<unknown>

/** What other devices do meanwhile. */
const happenings: Record<string, Happening> = {
  async add(page) {
    await add(page, 'Added elsewhere')
  },
  async 'delete what is edited'(page, { edits }, rows) {
    if (edits) await remove(page, edits, editedOf(rows, edits))
  },
  async 'delete another'(page, _, { todos }) {
    await remove(page, 'todos', todos.find(({ title }) => title === otherTasks[0])?.id)
  },
  async complete(page, _, { todos }) {
    const id = todos.find(({ title }) => title === otherTasks[1])?.id
    await page.request.put(`/api/todos/${id}`, { data: { completed: 1 }, headers: await origin(page) })
  },
  async import(page) {
    for (let place = 0; place < 20; place++) await add(page, `Imported ${place}`)
  },
  async 'a reminder comes'(page) {
    // As the service worker says it, which tests of pages do not have.
    await page.evaluate(() => {
      const { user } = JSON.parse(localStorage.getItem('daymark-account') ?? '{}')
      navigator.serviceWorker?.dispatchEvent(
        new MessageEvent('message', { data: { daymark: 'changed', user } }),
      )
    })
  },
  async 'sign out'(page) {
    await page.request.post('/api/auth/revoke-sessions', { data: {}, headers: await origin(page) })
  },
}

/** Whoever was signed out meanwhile adds nothing. */
async function add(page: Page, title: string) {
  await page.request.post('/api/todos', { data: { title, completed: 0 }, headers: await origin(page) })
}

async function origin(page: Page) {
  return { origin: new URL((await page.request.get('/api/health')).url()).origin }
}

async function remove(page: Page, kind: string, id: string | undefined) {
  await page.request.delete(`/api/${kind}/${id}`, { headers: await origin(page) })
}

function editedOf({ todos, lists, habits }: Rows, edits: NonNullable<Editor['edits']>): string | undefined {
  if (edits === 'todos') return todos.find(({ title }) => title === editedTask)?.id
  return (edits === 'lists' ? lists : habits).find(({ name }) => [editedList, editedHabit].includes(name))?.id
}

const letters = 'pedsltnjkxvmbcrwaouy'

test('every letter goes where its person types, whatever other devices do', async ({ page }) => {
  test.setTimeout(isDeep ? 3_600_000 : 240_000)
  const below = randomBelow(Number(takeSeed()))
  const wrong: string[] = []
  page.setDefaultTimeout(20_000)
  for (let run = 0; run < runs(200, 2); run++) {
    const outcome = await typeThrough(page, below)
    if (outcome) wrong.push(`run ${run}: ${outcome}`)
  }
  expect(wrong).toEqual([])
})

/** Returns what went wrong, if anything did. */
async function typeThrough(page: Page, below: (limit: number) => number): Promise<string | undefined> {
  // Where one line follows another there is more to go wrong.
  const chosen = editors.flatMap((each) => (each.lines ? [each, each, each] : [each]))
  const editor = chosen[below(chosen.length)]
  if (!editor) return 'no editor'
  // The page of the run before hears of nothing any more.
  await page.goto('/favicon.svg')
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await signUpBehindTheScreens(page, newPerson())
  for (const title of [...otherTasks, editedTask])
    await call(page, 'post', '/api/todos', { title, completed: 0, due_day: habits.daysAgo(0) })
  await addLists(page, [{ name: editedList }])
  await habits.keepHabits(page, [{ name: editedHabit }])
  const rows = await rowsOf(page)
  await listening(page, () => page.goto(editor.path))
  await settled(page)
  await editor.open(page)

  const text = Array.from({ length: 16 }, (_, place) =>
    place % 6 === 5 ? ' ' : letters[below(letters.length)],
  ).join('')
  const lines = editor.lines ? [`${text} at 17:00`, [...text].reverse().join('')] : [text]
  const keys = lines.flatMap((line, place) => [...(place > 0 ? ['Enter'] : []), ...line])
  const names = Object.keys(happenings)
  const timed = Array.from({ length: 1 + below(3) }, () => ({
    name: names[below(names.length)] ?? 'add',
    at: below(keys.length),
  }))
  if (editor.edits && below(3) > 0)
    timed.push({ name: 'delete what is edited', at: below(Math.ceil(keys.length / 2)) })
  // Whoever is signed out can't do anything else.
  const last = timed.findIndex(({ name }) => name === 'sign out')
  if (last >= 0) timed.push(...timed.splice(last, 1).map(({ name }) => ({ name, at: keys.length - 4 })))
  const signsOut = last >= 0

  const edited = editor.edits && editedOf(rows, editor.edits)
  const strange: string[] = []
  const watch = (request: Parameters<typeof sentChanges>[0]) => {
    for (const { method, url, body } of sentChanges(request)) {
      const [, kind, id] = /^\/api\/(todos|lists|habits)(?:\/([^/]+))?/.exec(url.pathname) ?? []
      if (kind === undefined || id === edited) continue
      if (method !== 'POST' || !editor.lines)
        strange.push(`${method} ${url.pathname} ${JSON.stringify(body)}`)
    }
  }
  page.on('request', watch)
  const happened: Promise<unknown>[] = []
  for (const [place, key] of keys.entries()) {
    for (const { name, at } of timed) {
      if (at === place) happened.push(happenings[name]?.(page, editor, rows) ?? Promise.resolve())
    }
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await page.waitForTimeout(70)
  }
  await Promise.all(happened)
  await page.waitForTimeout(300)
  const found = await page.evaluate(() => ({
    field:
      document.activeElement instanceof HTMLInputElement ||
      document.activeElement instanceof HTMLTextAreaElement
        ? document.activeElement.value
        : undefined,
    drafts: Object.entries(localStorage).map(([key, value]) => `${key} ${value}`),
  }))
  page.off('request', watch)
  const where = `${editor.name}, ${timed.map(({ name, at }) => `${name} at ${at}`).join(', ')}`
  const [lastLine = ''] = lines.slice(-1)
  const isThere =
    found.field?.includes(lastLine) || (signsOut && found.drafts.some((draft) => draft.includes(lastLine)))
  if (!isThere) return `${where}: "${lastLine}" is not in the field, but ${JSON.stringify(found)}`
  if (strange.length > 0) return `${where}: ${strange.join(', ')}`
  if (editor.lines && !signsOut) {
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toContain(text.trim())
  }
  return undefined
}

test('whoever is signed out elsewhere finishes the sentence in the field', async ({ page }) => {
  for (const editor of editors.filter(({ name }) => ['the profile', 'the palette'].includes(name))) {
    await page.context().clearCookies()
    await signUpBehindTheScreens(page, newPerson())
    await listening(page, () => page.goto(editor.path))
    await settled(page)
    await editor.open(page)
    await page.keyboard.type('One moment')
    const told = page.waitForResponse(signedOutBy)
    await happenings['sign out']?.(page, editor, { todos: [], lists: [], habits: [] })
    await happenings['a reminder comes']?.(page, editor, { todos: [], lists: [], habits: [] })
    await told
    // Longer than a field that is gone is waited for.
    for (const letter of ' and then I go') {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.waitForTimeout(100)
    }
    const field = page.locator('input:focus')
    await expect(field, editor.name).toHaveValue(/One moment and then I go$/)
  }
})

/** Whether the response tells the page that nobody is signed in. */
async function signedOutBy(response: Response): Promise<boolean> {
  return response.url().endsWith('/api/auth/get-session') && (await response.json()) === null
}

test('an editor whose row another device deletes stays until it is left, and what was typed can be had back', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  for (const title of ['Call Ada', 'Feed the cat', editedTask])
    await call(page, 'post', '/api/todos', { title, completed: 0 })
  await listening(page, () => page.goto('/todos'))
  const { todos } = await rowsOf(page)
  const idOf = (title: string) => todos.find((todo) => todo.title === title)?.id
  const other = (title: string) => row(page, title)
  const deleted = (text: string) =>
    toasts(page).filter({ hasText: 'You deleted it on another device' }).filter({ hasText: text })

  await test.step('the title of a row', async () => {
    await edit(row(page, editedTask)).click()
    await page.keyboard.type(' and p')
    await remove(page, 'todos', idOf(editedTask))
    await call(page, 'post', '/api/todos', { title: 'Later', completed: 0 })
    await expect(other('Later')).toBeVisible()
    await page.keyboard.type('e t')
    await expect(titleField(page)).toHaveValue('Water the plants and pe t')
    await expect(titleField(page)).toBeFocused()
    await titleField(page).press('Enter')
    await expect(titleField(page)).toHaveCount(0)
    await expect(row(page, editedTask)).toHaveCount(0)
    await deleted('Water the plants and pe t').getByRole('button', { name: 'Bring back' }).click()
    await expect(row(page, 'Water the plants and pe t')).toBeVisible()
    await expect
      .poll(async () => (await keptTasks(page)).map(({ title }) => title))
      .toContain('Water the plants and pe t')
    await expect(deleted('')).toHaveCount(0)
  })

  await test.step('a note', async () => {
    await openDetails(page, 'Call Ada')
    await noteOf(page).click()
    await page.keyboard.type('About ')
    await remove(page, 'todos', idOf('Call Ada'))
    await call(page, 'post', '/api/todos', { title: 'Even later', completed: 0 })
    await expect(other('Even later')).toBeVisible()
    await page.keyboard.type('the party')
    await expect(noteOf(page)).toHaveValue('About the party')
    await field(page).focus()
    await expect(details(page)).toHaveCount(0)
    await deleted('About the party').getByRole('button', { name: 'Bring back' }).click()
    await expect.poll(() => kept(page, 'Call Ada')).toMatchObject({ note: 'About the party' })
  })

  await test.step('left without a letter typed there is nothing to tell', async () => {
    await edit(row(page, 'Feed the cat')).click()
    await remove(page, 'todos', idOf('Feed the cat'))
    await call(page, 'post', '/api/todos', { title: 'Last', completed: 0 })
    await expect(other('Last')).toBeVisible()
    await expect(titleField(page)).toHaveValue('Feed the cat')
    await titleField(page).press('Escape')
    await expect(row(page, 'Feed the cat')).toHaveCount(0)
    await expect(toasts(page)).toHaveCount(0)
  })
})

test('keys do nothing on a row that the program moved the focus to', async ({ page }) => {
  await signUpBehindTheScreens(page)
  for (const title of ['Call Ada', 'Feed the cat', editedTask])
    await call(page, 'post', '/api/todos', { title, completed: 0 })
  await listening(page, () => page.goto('/todos'))
  const { todos } = await rowsOf(page)
  await tick(row(page, editedTask)).focus()
  await remove(page, 'todos', todos.find(({ title }) => title === editedTask)?.id)
  await expect(row(page, editedTask)).toHaveCount(0)
  await expect(tick(row(page, 'Feed the cat'))).toBeFocused()
  for (const key of ['p', 'Space', 'e', 'Delete', 'Enter']) await page.keyboard.press(key)
  await page.waitForTimeout(600)
  for (const key of ['p', 'Space', 'e', 'Delete', 'Enter']) await page.keyboard.press(key)
  await expect(titleField(page)).toHaveCount(0)
  await expect(details(page)).toHaveCount(0)
  expect(await keptTasks(page)).toMatchObject([
    { title: 'Feed the cat', completed: 0 },
    { title: 'Call Ada', completed: 0 },
  ])
  // Going on to a row is enough to be heard there.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(tick(row(page, 'Call Ada'))).toBeChecked()
})
