import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import { dueGroupOf, dueGroups } from '../dates/due.ts'
import { todos } from '../testing/todos.ts'
import type { Todo } from '../todo/todo.ts'
import { positionOf } from '../todo/todo-row.ts'
import { groupByDue, groupByPriority, groupTodos } from './todo-groups.ts'

const asItIs = (todo: Todo) => todo
const asIn = (places: readonly Todo[]) => (todo: Todo) => places.find(({ id }) => id === todo.id) ?? todo

function todo(id: string, created: string, completed: string | null = null): Todo {
  return todos.wire({
    id,
    completed: completed === null ? 0 : 1,
    completed_at: completed,
    created_at: created,
    updated_at: created,
  })
}

function ids(todos: readonly Todo[]): string[] {
  return todos.map(({ id }) => id)
}

describe('the groups of the to-do list', () => {
  test('open ones are listed newest first, whatever order they came in', () => {
    const rows = [todo('old', '2026-11-18T09:00:00.000Z'), todo('new', '2026-11-20T09:00:00.000Z')]
    expect(ids(groupTodos(rows, { placeOf: asItIs, sort: 'newest' }).open)).toEqual(['new', 'old'])
  })

  const sorted = (sort: TodoSort) => {
    const rows = [
      { ...todo('added first, moved up', '2026-11-18T09:00:00.000Z'), position: 'a1' },
      { ...todo('added last, moved down', '2026-11-20T09:00:00.000Z'), position: 'a2' },
      { ...todo('moved between', '2026-11-19T09:00:00.000Z'), position: 'a1V' },
    ]
    return ids(groupTodos(rows, { placeOf: asItIs, sort }).open)
  }

  test('in the manual order they stand where their person put them, and in the order by creation they do not', () => {
    expect(sorted('manual')).toEqual(['added first, moved up', 'moved between', 'added last, moved down'])
    expect(sorted('due')).toEqual(sorted('manual'))
    expect(sorted('newest')).toEqual(['added last, moved down', 'moved between', 'added first, moved up'])
  })

  test('two that share a position stand in the same order on every device', () => {
    const rows = ['b', 'c', 'a'].map((id) => ({ ...todo(id, '2026-11-18T09:00:00.000Z'), position: 'a1' }))
    expect(ids(groupTodos(rows, { placeOf: asItIs, sort: 'manual' }).open)).toEqual(['a', 'b', 'c'])
    expect(ids(groupTodos(rows.toReversed(), { placeOf: asItIs, sort: 'manual' }).open)).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  test('nobody has moved any: the manual order is the one by creation', () => {
    const rows = ['2026-11-18T09:00:00.000Z', '2026-11-20T09:00:00.000Z', '2026-11-19T09:00:00.000Z'].map(
      (created, place) => {
        const row = todo(`01900000-0000-7000-8000-00000000000${place}`, created)
        return { ...row, position: positionOf({ ...row, position: '' }) }
      },
    )
    const order = (sort: TodoSort) => ids(groupTodos(rows, { placeOf: asItIs, sort }).open)
    expect(order('manual')).toEqual(order('newest'))
  })

  test('one that is held stays in its place, though it was moved on another device', () => {
    const before = { ...todo('b', '2026-11-19T09:00:00.000Z'), position: 'a2' }
    const rows = [
      { ...before, position: 'a0' },
      { ...todo('a', '2026-11-18T09:00:00.000Z'), position: 'a1' },
      { ...todo('c', '2026-11-18T09:00:00.000Z'), position: 'a3' },
    ]
    expect(ids(groupTodos(rows, { placeOf: asIn([before]), sort: 'manual' }).open)).toEqual(['a', 'b', 'c'])
  })

  test('completed ones are listed by completion, newest first, not by when they were added', () => {
    const rows = [
      todo('added last', '2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'),
      todo('completed last', '2026-11-18T09:00:00.000Z', '2026-11-20T11:00:00.000Z'),
      todo('open', '2026-11-19T09:00:00.000Z'),
    ]
    const { open, completed } = groupTodos(rows, { placeOf: asItIs, sort: 'newest' })
    expect(ids(completed)).toEqual(['completed last', 'added last'])
    expect(ids(open)).toEqual(['open'])
  })

  test('one that was just ticked stays where it was, and shows its tick there', () => {
    const before = todo('b', '2026-11-19T09:00:00.000Z')
    const ticked = todo('b', '2026-11-19T09:00:00.000Z', '2026-11-20T12:00:00.000Z')
    const rows = [todo('c', '2026-11-20T09:00:00.000Z'), ticked, todo('a', '2026-11-18T09:00:00.000Z')]
    const { open, completed } = groupTodos(rows, { placeOf: asIn([before]), sort: 'newest' })
    expect(ids(open)).toEqual(['c', 'b', 'a'])
    expect(open[1]).toBe(ticked)
    expect(completed).toEqual([])
  })

  test('one that was just unticked stays in its place among the completed', () => {
    const before = todo('b', '2026-11-19T09:00:00.000Z', '2026-11-20T11:00:00.000Z')
    const rows = [
      todo('a', '2026-11-18T09:00:00.000Z', '2026-11-20T12:00:00.000Z'),
      todo('b', '2026-11-19T09:00:00.000Z'),
      todo('c', '2026-11-17T09:00:00.000Z', '2026-11-20T10:00:00.000Z'),
    ]
    expect(ids(groupTodos(rows, { placeOf: asIn([before]), sort: 'newest' }).completed)).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})

describe('the open to-dos by due day', () => {
  const today = '2026-11-20' as Day
  const due = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -10, max: 10 }).map((days) => addDays(today, days)),
  )
  const todos = fc
    .array(due, { maxLength: 12 })
    .map((days) =>
      days.map((due_day, place) => ({ ...todo(String(place), '2026-11-18T09:00:00.000Z'), due_day })),
    )
  const weekStart = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)

  test('a held one stays in its group, and in its place there, whatever its due day is now', () => {
    const rows = [
      { ...todo('a', '2026-11-18T09:00:00.000Z'), due_day: addDays(today, -2) },
      { ...todo('b', '2026-11-18T09:00:00.000Z'), due_day: addDays(today, -1) },
      { ...todo('c', '2026-11-18T09:00:00.000Z'), due_day: today },
    ]
    const [a, b] = rows.map((before) => ({ ...before, due_day: addDays(today, 1) }))
    const now = [a, b, rows[2]].filter((each) => each !== undefined)
    const groups = groupByDue(now, { today, weekStart: 1, placeOf: asIn(rows) })
    expect(groups.map((group) => ids(group.todos))).toEqual([['a', 'b'], ['c']])
    expect(groupByDue(now, { today, weekStart: 1, placeOf: asItIs }).map(({ todos }) => ids(todos))).toEqual([
      ['c'],
      ['a', 'b'],
    ])
  })

  test('each is listed once, in the group of its day, the earliest first', () => {
    fc.assert(
      fc.property(todos, weekStart, (open, start) => {
        const groups = groupByDue(open, { today, weekStart: start, placeOf: asItIs })
        expect(groups.flatMap((group) => ids(group.todos)).sort()).toEqual(ids(open).sort())
        expect(groups.map(({ dueGroup }) => dueGroup)).toEqual(
          dueGroups.filter((dueGroup) =>
            open.some(({ due_day }) => dueGroupOf(due_day, today, start) === dueGroup),
          ),
        )
        for (const { dueGroup, todos } of groups)
          for (const { due_day } of todos) expect(dueGroupOf(due_day, today, start)).toBe(dueGroup)
      }),
      { numRuns: runs(10_000, 1_000) },
    )
  })

  test('no due day is earlier than the one above it, and those of one day keep their order', () => {
    fc.assert(
      fc.property(todos, weekStart, (open, start) => {
        const shown = groupByDue(open, { today, weekStart: start, placeOf: asItIs }).flatMap(
          (group) => group.todos,
        )
        for (const [place, { id, due_day }] of shown.entries()) {
          const before = shown[place - 1]
          if (!before) continue
          const [a, b] = [before.due_day ?? '9999', due_day ?? '9999']
          expect(a < b || (a === b && Number(before.id) < Number(id))).toBe(true)
        }
      }),
      { numRuns: runs(10_000, 1_000) },
    )
  })
})

describe('the groups by priority', () => {
  const at = '2026-11-18T09:00:00.000Z'
  const rows = [
    { ...todo('none', at), priority: 0 as const },
    { ...todo('high', at), priority: 3 as const },
    { ...todo('low', at), priority: 1 as const },
    { ...todo('also high', at), priority: 3 as const },
  ]

  test('the highest come first, those of one priority keep their order, and empty groups are left out', () => {
    expect(groupByPriority(rows, asItIs).map(({ priority, todos }) => [priority, ids(todos)])).toEqual([
      [3, ['high', 'also high']],
      [1, ['low']],
      [0, ['none']],
    ])
  })

  test('one that was just changed stays where it was', () => {
    const placeOf = asIn([{ ...todo('low', at), priority: 3 as const }])
    expect(ids(groupByPriority(rows, placeOf)[0]?.todos ?? [])).toEqual(['high', 'low', 'also high'])
  })
})
