import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import { dueGroupOf, dueGroups } from '../due.ts'
import { todos } from '../testing/todos.ts'
import type { Todo } from '../todo.ts'
import { groupByDue, groupTodos } from './todo-groups.ts'

const none = new Map<string, Todo>()

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
    expect(ids(groupTodos(rows, none).open)).toEqual(['new', 'old'])
  })

  test('completed ones are listed by completion, newest first, not by when they were added', () => {
    const rows = [
      todo('added last', '2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'),
      todo('completed last', '2026-11-18T09:00:00.000Z', '2026-11-20T11:00:00.000Z'),
      todo('open', '2026-11-19T09:00:00.000Z'),
    ]
    const { open, completed } = groupTodos(rows, none)
    expect(ids(completed)).toEqual(['completed last', 'added last'])
    expect(ids(open)).toEqual(['open'])
  })

  test('one that was just ticked stays where it was, and shows its tick there', () => {
    const before = todo('b', '2026-11-19T09:00:00.000Z')
    const ticked = todo('b', '2026-11-19T09:00:00.000Z', '2026-11-20T12:00:00.000Z')
    const rows = [todo('c', '2026-11-20T09:00:00.000Z'), ticked, todo('a', '2026-11-18T09:00:00.000Z')]
    const { open, completed } = groupTodos(rows, new Map([['b', before]]))
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
    expect(ids(groupTodos(rows, new Map([['b', before]])).completed)).toEqual(['a', 'b', 'c'])
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
  const nothing = new Map<string, Todo>()

  test('a held one stays in its group, and in its place there, whatever its due day is now', () => {
    const rows = [
      { ...todo('a', '2026-11-18T09:00:00.000Z'), due_day: addDays(today, -2) },
      { ...todo('b', '2026-11-18T09:00:00.000Z'), due_day: addDays(today, -1) },
      { ...todo('c', '2026-11-18T09:00:00.000Z'), due_day: today },
    ]
    const [a, b] = rows.map((before) => ({ ...before, due_day: addDays(today, 1) }))
    const now = [a, b, rows[2]].filter((each) => each !== undefined)
    const groups = groupByDue(now, { today, weekStart: 1, held: new Map(rows.map((row) => [row.id, row])) })
    expect(groups.map((group) => ids(group.todos))).toEqual([['a', 'b'], ['c']])
    expect(groupByDue(now, { today, weekStart: 1, held: nothing }).map(({ todos }) => ids(todos))).toEqual([
      ['c'],
      ['a', 'b'],
    ])
  })

  test('each is listed once, in the group of its day, the earliest first', () => {
    fc.assert(
      fc.property(todos, weekStart, (open, start) => {
        const groups = groupByDue(open, { today, weekStart: start, held: nothing })
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
        const shown = groupByDue(open, { today, weekStart: start, held: nothing }).flatMap(
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
