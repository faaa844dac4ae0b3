import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it, vi } from 'vitest'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import { openApplication } from '../testing/application.ts'

// Opening the analytics counts ten years of a person. That is cheap because each statement walks along one stretch of one
// index without fetching rows. bench/calls/analytics.mjs measures the cost. What was deleted or undone is in none of these indexes,
// so no read walks over it.

const tenYears = 'from=2016-11-22&to=2026-11-20'
/** Whether they have any that repeat: here there are none. */
const repeating = 'SEARCH todos USING INDEX todos_repeating (user_id=?)'
/** Whether the person has subtasks, which may be hidden or stand in another list: here there are none. */
const subtasks = 'SEARCH todos USING COVERING INDEX todos_by_parent (user_id=? AND parent_id>?)'
/** The completed occurrences of those that repeat. */
const occurrences = 'SEARCH todos USING INDEX todos_done_repeatedly (user_id=?)'
const year = 'from=2025-11-21&to=2026-11-20'

/** One that is counted with all its like, one on its own, and a limit. */
const habits = [
  { frequency: 'daily' },
  { rhythm: { times: 3, per: 'week' } },
  { target: { at: 'most', amount: 2_000, unit: 'cups', per: 'day' } },
]
const idOf = (place: number) => `01900000-0000-7000-8000-00000000000${place}`

/** What is read of habits that are counted one by one. */
const habitByHabit = [
  ['SEARCH rhythms USING INDEX sqlite_autoindex_rhythms_1 (user_id=? AND habit_id=?)'],
  [
    'SEARCH completions USING COVERING INDEX completions_of_habit (user_id=? AND habit_id=? AND day>? AND day<?)',
  ],
  // Of all habits: they are few.
  ['SEARCH completions USING COVERING INDEX completions_skipped (user_id=? AND day>? AND day<?)'],
  ['SEARCH amounts USING INDEX amounts_of_habit (user_id=? AND habit_id=? AND day>? AND day<?)'],
]
const pauses = ['SEARCH pauses USING INDEX sqlite_autoindex_pauses_1 (user_id=?)']
const firstEntries = ['SEARCH habits USING INDEX sqlite_autoindex_habits_1 (user_id=? AND id=?)']

afterEach(() => void vi.restoreAllMocks())

it.each([
  [
    `/api/todos/completed?${tenYears}`,
    [subtasks],
    [
      'SEARCH todos USING COVERING INDEX todos_by_completion_day (user_id=? AND completed_on>? AND completed_on<?)',
    ],
    // Of the rows themselves it reads only those that are listed, without sorting the others.
    ['SEARCH todos USING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    ['SEARCH todos USING COVERING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    [occurrences],
  ],
  [
    `/api/habits/completed?${tenYears}`,
    ['SEARCH habits USING COVERING INDEX habits_counted (user_id=? AND deleted_at=?)'],
    ['SEARCH rhythms USING INDEX sqlite_autoindex_rhythms_1 (user_id=?)'],
    // Those that are due every day, all together.
    pauses,
    // Which of those that began within the range were done before.
    ['SEARCH habits USING INDEX sqlite_autoindex_habits_1 (user_id=? AND id=?)'],
    ['SEARCH completions USING COVERING INDEX completions_of_day (user_id=? AND day>? AND day<?)'],
    ['SEARCH completions USING COVERING INDEX completions_skipped (user_id=? AND day>? AND day<?)'],
    ...habitByHabit,
    firstEntries,
  ],
  [
    `/api/habits/due?${year}`,
    ['SEARCH habits USING INDEX habits_counted (user_id=? AND deleted_at=?)'],
    ['SEARCH rhythms USING INDEX sqlite_autoindex_rhythms_1 (user_id=?)'],
    pauses,
    ...habitByHabit,
    firstEntries,
    // Their names.
    ['SEARCH habits USING INDEX sqlite_autoindex_habits_1 (user_id=? AND id=?)'],
  ],
  [
    `/api/focus/completed?${tenYears}`,
    [
      'SEARCH focus_sessions USING COVERING INDEX focus_sessions_by_last_day (user_id=? AND ended_on>? AND ended_on<?)',
    ],
    ['SEARCH focus_sessions USING COVERING INDEX focus_sessions_deleted (user_id=?)'],
    // Where a few thousand end, and their sum.
    [
      'SEARCH focus_days USING COVERING INDEX focus_days_by_day (user_id=? AND (day,session_id)>(?,?) AND day<?)',
    ],
    [
      'SEARCH focus_days USING COVERING INDEX focus_days_by_day (user_id=? AND (day,session_id)>(?,?) AND day<?)',
    ],
  ],
  [
    `/api/focus?${tenYears}`,
    [
      'SEARCH focus_days USING COVERING INDEX focus_days_by_day (user_id=? AND (day,session_id)>(?,?) AND day<?)',
    ],
  ],
  ['/api/todos', [repeating], [subtasks], ['SEARCH todos USING INDEX todos_newest (user_id=?)']],
  [
    '/api/todos?done=recent',
    [repeating],
    ['SEARCH todos USING COVERING INDEX todos_completed_in_list (user_id=?)'],
    [occurrences],
    [
      'SEARCH todos USING COVERING INDEX todos_open (user_id=?)',
      'SEARCH todos USING INDEX todos_by_completion_day (user_id=? AND completed_on>?)',
      repeating,
    ],
    [subtasks],
    ['SEARCH todos USING INDEX sqlite_autoindex_todos_1 (user_id=? AND id=?)'],
  ],
  [
    '/api/todos/completed?range=all',
    [subtasks],
    ['SEARCH todos USING COVERING INDEX todos_by_completion_day (user_id=? AND completed_on>?)'],
    ['SEARCH todos USING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    ['SEARCH todos USING COVERING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    [occurrences],
    [
      'SEARCH todos USING COVERING INDEX todos_by_completion_day (user_id=? AND completed_on=? AND deleted_at=?)',
    ],
  ],
  [
    '/api/todos/completed?range=all&search=done&list_id=01900000-0000-7000-8000-000000000001',
    [subtasks],
    ['SEARCH todos USING COVERING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    ['SEARCH todos USING INDEX todos_by_completion (user_id=? AND completed_at>?)'],
    [occurrences],
  ],
  [
    '/api/export',
    [subtasks],
    ['SEARCH todos USING INDEX todos_newest (user_id=? AND (created_at,id)>(?,?))'],
    // Which of them have occurrences.
    ['SEARCH todo_days USING COVERING INDEX sqlite_autoindex_todo_days_1 (user_id=? AND todo_id=?)'],
    ['SEARCH habits USING INDEX habits_counted (user_id=? AND deleted_at=?)'],
    // Itself, what holds, how many days there are, what was ticked, what was skipped or has a note, and amounts: of each.
    ['SEARCH habits USING INDEX sqlite_autoindex_habits_1 (user_id=? AND id=?)'],
    ['SEARCH rhythms USING INDEX sqlite_autoindex_rhythms_1 (user_id=? AND habit_id=?)'],
    [
      'SEARCH completions USING COVERING INDEX sqlite_autoindex_completions_1 (user_id=? AND habit_id=? AND day>?)',
    ],
    [
      'SEARCH completions USING COVERING INDEX completions_of_habit (user_id=? AND habit_id=? AND day>? AND day<?)',
    ],
    [
      'SEARCH completions USING INDEX sqlite_autoindex_completions_1 (user_id=? AND habit_id=? AND day>? AND day<?)',
    ],
    [
      'SEARCH completions USING INDEX sqlite_autoindex_completions_1 (user_id=? AND habit_id=? AND day>? AND day<?)',
    ],
    ['SEARCH amounts USING INDEX amounts_of_habit (user_id=? AND habit_id=? AND day>?)'],
    pauses,
    ['SEARCH focus_sessions USING INDEX focus_sessions_by_last_day (user_id=? AND (ended_on,id)>(?,?))'],
  ],
])(
  'GET %s runs few statements, each along one stretch of an index, and sorts nothing',
  async (path, ...expected) => {
    const file = newPath()
    const database = await openDatabase(`sqlite:${file}`)
    const daymark = openApplication(database, { clock: () => Date.parse('2026-11-20T12:00:00.000Z') })
    const { cookie } = await daymark.signUp('Ada')
    const body = { title: 'Done', completed: 1 }
    expect((await daymark.ask('POST', '/api/todos', { cookie, body })).status).toBe(201)
    for (const [place, habit] of habits.entries()) {
      const body = { name: 'Read', start_date: '2026-11-01', id: idOf(place), ...habit }
      expect((await daymark.ask('POST', '/api/habits', { cookie, body })).status).toBe(201)
    }
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    expect((await daymark.ask('GET', path, { cookie })).status).toBe(200)
    const statements = prepare.mock.calls
      .map(([statement]) => statement)
      .filter((statement) =>
        /"(todos|todo_days|habits|rhythms|completions|amounts|pauses|focus_\w+)"/.test(statement),
      )
    prepare.mockRestore()
    await database.close()

    const reading = new DatabaseSync(file, { readOnly: true })
    const plans = statements.map((statement) =>
      reading
        .prepare(`explain query plan ${statement}`)
        .all()
        .map(({ detail }) => detail),
    )
    reading.close()
    // The first step of each is the one that walks over the range, or of each part of a union.
    const firstSteps = plans.map((steps) =>
      steps[0] === 'COMPOUND QUERY' ? steps.filter((step) => /^S/.test(String(step))) : steps.slice(0, 1),
    )
    expect(firstSteps).toEqual(expected)
    // The habits themselves are few enough to sort, and so are pauses, and the amounts of a day.
    const walks = plans.filter(([first]) => !/^SEARCH (habits|pauses)/.test(String(first)))
    const ofDay = 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY'
    const sorted = walks
      .flatMap((steps) =>
        /^SEARCH amounts/.test(String(steps[0])) ? steps.filter((step) => step !== ofDay) : steps,
      )
      // The ids that a statement is given are not rows.
      .filter((step) => /^SCAN (?!json_each)|TEMP B-TREE/.test(String(step)))
    expect(sorted).toEqual([])
  },
)

it('finds what was focused on a habit session by session, not among all days of the account', async () => {
  const file = newPath()
  const database = await openDatabase(`sqlite:${file}`)
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const daymark = openApplication(database, { clock: () => Date.parse('2026-11-20T12:00:00.000Z') })
  const { cookie } = await daymark.signUp('Ada')
  const ask = (method: string, path: string, body?: object) => daymark.ask(method, path, { cookie, body })
  const [habit_id, day] = [idOf(0), '2026-11-10']
  const target = { at: 'most', amount: 30_000, unit: 'minutes', per: 'day' }
  await ask('POST', '/api/habits', { id: habit_id, name: 'Games', start_date: '2026-11-19', target })
  await ask('POST', '/api/focus', { duration: 600, ended_at: `${day}T08:10:00.000Z`, habit_id })
  await ask('POST', `/api/habits/${habit_id}/amounts`, { day, value: 0, set: true })
  expect((await ask('GET', `/api/habits/completed?${year}`)).status).toBe(200)
  const statements = new Set(prepare.mock.calls.map(([statement]) => statement))
  prepare.mockRestore()
  await database.close()

  const reading = new DatabaseSync(file, { readOnly: true })
  const steps = [...statements]
    .filter((statement) => /left join "focus_days"/.test(statement))
    .map((statement) => reading.prepare(`explain query plan ${statement}`).all())
    .map((plan) => plan.map(({ detail }) => String(detail)).find((detail) => /focus_days/.test(detail)))
  reading.close()
  // The first day, all days, and the days of each session.
  expect(steps).toHaveLength(3)
  for (const step of steps) expect(step).toMatch(/\(user_id=\? AND session_id=\?/)
})
