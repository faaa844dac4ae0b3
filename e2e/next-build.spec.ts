import { expect, type Page } from '@playwright/test'
import { sentChanges } from './testing/connection/sent-changes.ts'
import { allSaved } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import { keepHabits } from './testing/screens/habit-list.ts'
import { beginEdit, keptTasks, openList, row, tick, titleField } from './testing/screens/todo-list.ts'

// A page stays open while the server is updated: it goes on reading and sending, whatever the next build answers.

const form = { planted: 'by the next build' }
/** Of this one the page knows the id and the title. */
const half = 'Half known'

/** In each collection, the server answers one more row of which only the id has a form that this build knows. */
async function respondAsTheNextBuild(page: Page) {
  await page.route(
    /\/api\/(todos|todos\/completed|lists|habits|pauses|focus|preferences)(\?.*)?$/,
    async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const { etag: _, 'if-none-match': __, ...headers } = route.request().headers()
      // Another build answers whole, whatever the page has.
      const url = new URL(route.request().url())
      url.searchParams.delete('since')
      const response = await route.fetch({ url: url.href, headers })
      const body: Record<string, unknown> = await response.json()
      const planted = Object.fromEntries(
        Object.entries(body).map(([collection, rows]) => [
          collection,
          Array.isArray(rows) ? withNewForms(rows) : rows,
        ]),
      )
      if ('preferences' in body)
        planted.preferences = { ...Object(body.preferences), theme: form, todos_sort: form }
      await route.fulfill({ response, json: planted, headers: { ...response.headers(), etag: '"next"' } })
    },
  )
}

function withNewForms(rows: readonly object[]): object[] {
  return rows.flatMap((row) => [
    'title' in row && row.title === half ? inNewForms(row, ['id', 'title']) : row,
    ...('id' in row ? [inNewForms({ ...row, id: next(String(row.id)) }, ['id'])] : []),
  ])
}

function inNewForms(row: object, known: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, known.includes(field) ? value : form]),
  )
}

/** Another id, whatever comes before it. */
function next(id: string): string {
  return `${id.slice(0, -4)}${(Number.parseInt(id.slice(-4), 16) ^ 0xffff).toString(16).padStart(4, '0')}`
}

test('a page goes on reading and sending while the next build answers new forms of every field', async ({
  page,
}) => {
  await openList(page, { open: ['Water the plants'] })
  await page.request.post('/api/todos', {
    data: { title: half, priority: 2, due_day: '2026-11-20' },
    headers: { origin: new URL(page.url()).origin },
  })
  await keepHabits(page, [{ name: 'Read' }])
  const sent: unknown[] = []
  page.on('request', (request) => sent.push(...sentChanges(request).map(({ body }) => body)))
  await respondAsTheNextBuild(page)

  await test.step('what another device does is shown, and so is the row that it does not know', async () => {
    // Too long for an event to carry it, as this build would read it.
    await page.request.post('/api/todos', {
      data: { title: 'Buy milk', note: 'x'.repeat(1_000), completed: 0 },
      headers: { origin: new URL(page.url()).origin },
    })
    await expect(row(page, 'Buy milk')).toBeVisible()
    await expect(row(page, 'Untitled')).toHaveCount(3)
  })

  await test.step('what is done in it arrives', async () => {
    await tick(row(page, 'Water the plants')).click()
    await allSaved(page)
    expect((await keptTasks(page)).find(({ title }) => title === 'Water the plants')?.completed).toBe(1)
  })

  await test.step('a change of a row that it knows only in part sends just that', async () => {
    await beginEdit(row(page, half))
    await titleField(page).fill('Better known')
    await titleField(page).press('Enter')
    await expect.poll(() => sent.at(-1)).toEqual({ title: 'Better known', at: expect.any(String) })
    await allSaved(page)
    const { todos }: { todos: object[] } = await (await page.request.get('/api/todos')).json()
    const kept = { title: 'Better known', priority: 2, due_day: '2026-11-20' }
    expect(todos).toContainEqual(expect.objectContaining(kept))
  })

  for (const [path, heading] of [
    ...[
      ['/today', 'Today'],
      ['/upcoming', 'Upcoming'],
      ['/habits', 'Habits'],
      ['/focus', 'Focus'],
    ],
    ...[
      ['/todos/completed', 'Completed'],
      ['/analytics', 'Analytics'],
      ['/settings', 'Settings'],
    ],
  ]) {
    await test.step(`${path} is shown`, async () => {
      await page.goto(path ?? '')
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading ?? '')
      await expect(page.getByText(/couldn.t be|went wrong|try again/i)).toHaveCount(0)
    })
  }
})
