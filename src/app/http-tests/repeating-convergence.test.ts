import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allShownOn } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { calendarsOf } from '../testing/convergence/people/repeating-person.ts'
import { fieldsOf, type View, viewOfServer } from '../testing/convergence/people/view.ts'
import { openPlays, type Played, simulateBrowsers } from '../testing/convergence/play/played-people.ts'
import { repeatingSchedule } from '../testing/convergence/play/repeating-schedule.ts'
import { dayIn } from '../testing/convergence/rules/computed-days.ts'
import type { Calendar } from '../testing/convergence/rules/deed.ts'
import { lateViolations } from '../testing/convergence/rules/late-rule.ts'
import {
  occurrenceViolations,
  refusedMoves,
  type StoredDay,
} from '../testing/convergence/rules/occurrence-rule.ts'
import { clockTolerance, violations } from '../testing/convergence/rules/rule.ts'

// Several devices of one person tick, skip, move and reopen occurrences of the same to-dos and change their rules, offline, over
// midnights, clock changes and changes of zone, while requests are lost, repeated or delayed. Some of the devices know nothing of
// occurrences. What must be in the end is computed from the changes alone (`testing/convergence/rules/occurrence-rule.ts`).

const day = 86_400_000

simulateBrowsers()

describeEachEngine('To-dos that repeat', (openEmpty, engine) => {
  it(
    'show the same on all devices in the end, and a tick is lost only by the merge rule',
    async () => {
      const database = await openEmpty()
      const played = openPlays(database)
      await fc.assert(
        fc.asyncProperty(repeatingSchedule, (schedule) =>
          played(schedule, schedule.start, (end) => expectTheEnd(database, end)),
        ),
        { numRuns: runs(5_000, engine === 'sqlite' ? 6 : 3) },
      )
    },
    runs(7_200_000, 600_000),
  )
})

async function expectTheEnd(database: Database, { play, user, time, ask }: Played) {
  const { devices, changes, reported, hidden, timestampErrors } = play
  expect(devices.flatMap(({ network }) => network.unexpected)).toEqual([])
  expect(hidden).toEqual([])
  expect(Math.max(...timestampErrors)).toBeLessThan(clockTolerance)

  const truth = await viewOfServer(ask)
  const calendar = calendarOf(truth)
  const { todos = [] } = truth
  const end = { days: await storedDays(database, user), todos, calendar, now: time.now }
  expect(occurrenceViolations(changes, reported, calendarsOf(changes), end)).toEqual([])
  const late = new Set(play.late.map(({ change }) => change))
  expect(lateViolations(play.arrived, reported, late)).toEqual([])
  const refused = refusedMoves(changes, reported)
  const fields = fieldsOf(truth)
  expect(
    violations(
      changes.filter(({ number }) => !refused.has(number)),
      reported.filter(({ change }) => !refused.has(change)),
      (list, row) => {
        const all = fields.get(list)?.get(row)
        // What is due is computed.
        return all && new Map([...all].filter(([name]) => list !== todoCollection.name || isOwn(name)))
      },
    ),
  ).toEqual([])

  const tabs = devices.flatMap(({ tabs }) => tabs)
  const today = dayIn(time.now, calendar)
  for (const { view } of tabs) {
    const { todos: shown = [], ...others } = view()
    expect(others).toEqual({ ...truth, todos: undefined })
    expect(allShownOn(shown, today)).toEqual(todos)
  }
  // A page that is left open shows on every later day what the server would answer.
  for (const later of [1, 9]) {
    time.now += later * day
    const { todos: then = [] } = await viewOfServer(ask)
    const there = new Set(then.map(({ id }) => id))
    for (const { view } of tabs) {
      const shown = allShownOn(view().todos ?? [], dayIn(time.now, calendar)).map(withoutRows)
      expect(shown.filter(({ id }) => there.has(id))).toEqual(then.map(withoutRows))
      // What was completed long ago is left out.
      expect(shown.filter(({ id, completed }) => !there.has(id) && !completed)).toEqual([])
    }
  }
}

function isOwn(name: string): boolean {
  return name === 'title' || name === 'repeat' || name === 'parent_id'
}

function calendarOf({ preferences }: View): Calendar {
  const [own] = preferences ?? []
  if (!own) throw new Error('A person has preferences')
  return own
}

/** Only what a person sees. */
function withoutRows({ settled, settled_from, done_before, missed_before, ...todo }: Todo) {
  return todo
}

function storedDays({ read }: Database, user: string): Promise<StoredDay[]> {
  return read
    .selectFrom('todo_days')
    .select(['todo_id', 'day', 'state', 'done_on', 'changed_at', 'moved_to', 'moved_at'])
    .where('user_id', '=', user)
    .execute()
}
