import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importTodos } from '#features/todos/server/exported-todo-store.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { wantedOf } from '#platform/search/match.ts'
import { runs } from '#testing/runs.ts'
import type { CompletedTodos } from '../completed-todos.ts'
import { completedTodos } from './completed-todo-store.ts'

const today = '2026-11-20' as Day
const noon = Date.UTC(2026, 10, 20, 12)

interface Done {
  title: string
  list_id?: string | null
  tags?: string[]
  note?: string
  /** Days ago. */
  ago?: number
}

describeEachEngine('Completed todos', (openEmpty) => {
  async function withDone(all: readonly Done[]): Promise<Database> {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const rows = all.map(({ title, list_id = null, tags = [], note = '', ago = 0 }, place) => {
      const completed_at = instantToWire(noon - ago * 86_400_000 - place)
      const id = `id ${String(place).padStart(5, '0')}`
      return todos.file({
        id,
        title,
        list_id,
        tags,
        note,
        completed: 1,
        completed_at,
        completed_on: addDays(today, -ago),
      })
    })
    await writeWithinLimits(db, 'ada', ['todos'], (tx, adding) =>
      importTodos(tx, 'ada', rows, noon + 1, adding),
    )
    return db
  }

  async function found(db: Database, search: string): Promise<string[]> {
    const answer = await completedTodos(db, 'ada', 'all', { search })
    expect(answer?.count).toBe(answer?.todos.length)
    return answer?.todos.map(({ title }) => title) ?? []
  }

  test('are found by words of the title and the tags, whichever case and accents, in any script', async () => {
    const titles = [
      'Call Ömer',
      'СЕМЬЯ',
      'ΟΔΌΣ 1',
      'οδός 5',
      'Straße fegen',
      '家族に電話',
      'Կարդալ',
      '🌱 Water',
      'İzmir',
      'לומר שָׁלוֹם',
    ]
    const db = await withDone(titles.map((title) => ({ title })))
    for (const [search, ...expected] of [
      ['omer', 'Call Ömer'],
      ['ÖMER CAL', 'Call Ömer'],
      ['семья', 'СЕМЬЯ'],
      ['οδος', 'ΟΔΌΣ 1', 'οδός 5'],
      ['STRASSE', 'Straße fegen'],
      ['に電', '家族に電話'],
      ['կԱՐ', 'Կարդալ'],
      ['🌱 w', '🌱 Water'],
      ['izm', 'İzmir'],
      ['שלום', 'לומר שָׁלוֹם'],
      ['mer'],
      ['#none'],
    ]) {
      expect([search, ...(await found(db, search ?? ''))]).toEqual([search, ...expected])
    }
  })

  test('are found by their tags', async () => {
    const db = await withDone([{ title: 'One', tags: ['Été'] }, { title: 'Two' }])
    expect(await found(db, 'ete')).toEqual(['One'])
    expect(await found(db, '#ETE one')).toEqual(['One'])
  })

  test('are found by their notes, and by words of which each is in another part', async () => {
    const db = await withDone([{ title: 'Call', tags: ['home'], note: 'About the Größe' }, { title: 'Two' }])
    expect(await found(db, 'grosse')).toEqual(['Call'])
    expect(await found(db, 'about call #home')).toEqual(['Call'])
    expect(await found(db, 'call two')).toEqual([])
  })

  test('are found by signs that mean something elsewhere, which are only themselves here', async () => {
    const signs = [...'%_*?[]^$.|(){}+\\-!@#&=~`\'"/<>:;,']
    const db = await withDone(signs.map((sign) => ({ title: `a${sign}b` })))
    for (const sign of signs) {
      expect([sign, await found(db, `A${sign}B`)]).toEqual([sign, [`a${sign}b`]])
    }
    for (const none of ['a%', '[a-z]', 'a.b.', '.*', 'a\\', '***:a', '(?i)a', '[^x]']) {
      const expected = signs.map((sign) => `a${sign}b`).filter((title) => title.includes(none))
      expect([none, await found(db, none)]).toEqual([none, expected])
    }
  })

  test('are found exactly where a device that has them finds them', async () => {
    const letter = fc.constantFrom(...'aAbB%_*?[]^-.\\  äÄßsŁlяЯ語Σς'.split(''))
    const text = fc.string({ unit: letter, minLength: 1, maxLength: 6 }).filter((each) => each.trim() !== '')
    const tag = text.filter((each) => each.trim() === each && !/[\s,#]/.test(each))
    const task = fc.record({
      title: text,
      note: fc.oneof(fc.constant(''), text),
      tags: fc.uniqueArray(tag, { maxLength: 1 }),
    })
    const all = fc.sample(task, { numRuns: 200, seed: 20 })
    const db = await withDone(all)
    await fc.assert(
      fc.asyncProperty(text, async (search) => {
        const wanted = wantedOf(search)
        const onDevice = all
          .filter((each) => wanted && todoSearch.matches(each, wanted))
          .map(({ title }) => title)
        const answer = await completedTodos(db, 'ada', 'all', { search })
        expect(answer?.count).toBe(onDevice.length)
        expect(answer?.todos.map(({ title }) => title)).toEqual(onDevice.slice(0, 50))
      }),
      { numRuns: runs(2_000, 20) },
    )
  })

  test('of all days are listed by fifties back to the first, each with the count of its day', async () => {
    const all = Array.from({ length: 130 }, (_, place) => ({
      title: `${place}`,
      ago: Math.floor(place / 3) * 80,
    }))
    const db = await withDone(all)
    const pages: CompletedTodos[] = []
    for (let before: { id: string; day: Day | null } | undefined; ; ) {
      const page = await completedTodos(db, 'ada', 'all', { before })
      if (!page || page.todos.length === 0) {
        expect(page).toEqual({ count: 130, days: [], todos: [] })
        break
      }
      pages.push(page)
      before = page.todos.at(-1)
    }
    expect(pages.map(({ todos }) => todos.length)).toEqual([50, 50, 30])
    expect(pages.flatMap(({ todos }) => todos.map(({ title }) => title))).toEqual(
      all.map(({ title }) => title),
    )
    for (const { count, days, todos } of pages) {
      expect(count).toBe(130)
      const shown = [...new Set(todos.map(({ completed_on }) => completed_on))].toSorted()
      expect(days.map(({ day }) => day)).toEqual(shown)
      const first = addDays(today, -43 * 80)
      expect(days).toEqual(shown.map((day) => ({ day, count: day === first ? 1 : 3 })))
    }
  })

  test('of one list, of a search and of a range are counted and listed by all of these together', async () => {
    // More than are looked at in one go.
    const all = Array.from({ length: 2_300 }, (_, place) => ({
      title: `${place % 7 === 0 ? 'Water' : 'Read'} ${place}`,
      list_id: [null, 'home', 'work'][place % 3] ?? null,
      ago: Math.floor(place / 10),
    }))
    const db = await withDone(all)
    const chosen = all.filter(({ title, list_id }) => title.startsWith('Water') && list_id === 'home')
    const byDay = Object.groupBy(chosen, ({ ago }) => addDays(today, -ago))
    const criteria = { search: 'water', list_id: 'home' }

    const seen: string[] = []
    for (let before: { id: string; day: Day | null } | undefined; ; ) {
      const page = await completedTodos(db, 'ada', 'all', { ...criteria, before })
      expect(page?.count).toBe(chosen.length)
      if (!page || page.todos.length === 0) break
      for (const { day, count } of page.days) expect([day, count]).toEqual([day, byDay[day as Day]?.length])
      seen.push(...page.todos.map(({ title }) => title))
      before = page.todos.at(-1)
    }
    expect(seen).toEqual(chosen.map(({ title }) => title))

    const range = { from: addDays(today, -40), to: addDays(today, -3) }
    const inRange = chosen.filter(({ ago }) => ago >= 3 && ago <= 40)
    const answer = await completedTodos(db, 'ada', range, criteria)
    expect(answer?.count).toBe(inRange.length)
    expect(answer?.todos.map(({ title }) => title)).toEqual(inRange.slice(0, 50).map(({ title }) => title))
    expect(answer?.days).toHaveLength(38)
    for (const { day, count } of answer?.days ?? []) {
      expect([day, count]).toEqual([day, byDay[day as Day]?.length ?? 0])
    }

    const ofHome = all.filter(({ list_id }) => list_id === 'home')
    expect(await completedTodos(db, 'ada', 'all', { list_id: 'home' })).toMatchObject({
      count: ofHome.length,
    })
    expect(await completedTodos(db, 'ada', 'all', { list_id: 'gone' })).toEqual({
      count: 0,
      days: [],
      todos: [],
    })
  })
})
