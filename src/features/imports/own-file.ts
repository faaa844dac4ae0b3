import type { ExportedHabit } from '#features/habits/exported-habit.ts'
import { rhythmOfFrequency, rhythmOn } from '#features/habits/rhythm.ts'
import type { ExportedTodo } from '#features/todos/exported-todo.ts'
import { ruleOf } from '#features/todos/repeat-rule.ts'
import { type ExportedAccount, format } from '#features/your-data/exported-account.ts'
import { readExport } from '#features/your-data/read-export.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import {
  dayKey,
  type OpenedFile,
  type ReadHabit,
  type Reading,
  type ReadRow,
  type ReadTodo,
} from './reading.ts'
import type { ReadyReading } from './rows-of-reading.ts'

/** Part of what is stored of an import. */
export const ownSource = { source: format, name: 'Daymark file' } as const

/** A file of Daymark's own brings its rows as they are, with their ids: its reading is only for looking at them. */
export function readOwnFile(
  file: OpenedFile,
): (ReadyReading & { exported: ExportedAccount }) | { problem: string } | undefined {
  if (file.kind !== 'text' || !isOwnText(file.text)) return undefined
  const read = readExport(file.text)
  if ('problem' in read) return read
  const { exported } = read
  const reading = readingOf(exported)
  return { reading, account: exported, exported, targets: reading.rows.map(({ becomes }) => becomes) }
}

export function isOwnText(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"daymark"/.test(text)
}

function readingOf({ lists, todos, habits, pauses, focus_sessions }: ExportedAccount): Reading {
  const rows: Omit<ReadRow, 'line' | 'changed'>[] = [
    ...lists.map(({ id, name }) => ({ what: 'list' as const, title: name, becomes: id })),
    ...todos.map(({ id, title, parent_id }) => ({
      what: parent_id === null ? ('task' as const) : ('subtask' as const),
      ...{ title, becomes: id },
    })),
    ...habits.flatMap((habit) => [
      { what: 'habit' as const, title: habit.name, becomes: habit.id },
      ...daysOf(habit).map((day) => ({
        what: 'day' as const,
        ...{ title: `${habit.name}, ${day}`, becomes: dayKey(habit.id, day) },
      })),
    ]),
    ...pauses.map(({ id, from_day, to_day }) => ({
      what: 'other' as const,
      ...{
        title: to_day === null ? `Pause from ${from_day}` : `Pause from ${from_day} to ${to_day}`,
        becomes: id,
      },
    })),
    ...focus_sessions.map(({ id, days }) => ({
      what: 'session' as const,
      ...{ title: `Focus on ${days[0]?.day ?? 'a day'}`, becomes: id },
    })),
  ]
  return {
    lists: lists.map(({ id, name, color, archived_at }) => ({
      ...{ key: id, name, color, archived: archived_at !== null },
    })),
    todos: todos.map(todoOf),
    habits: habits.map(habitOf),
    sessions: focus_sessions.map(({ id, duration, days, started_at, ended_at, todo_id, habit_id }) => ({
      ...{ key: id, kind: started_at === null ? 'total' : 'hand', duration, days },
      ...(started_at !== null && { start: instantFromWire(started_at) }),
      end: instantFromWire(ended_at),
      ...(todo_id !== null && { todo: todo_id }),
      ...(habit_id !== null && { habit: habit_id }),
    })),
    rows: rows.map((row, place) => ({ ...row, line: place + 1, changed: [] })),
    notes: [],
    questions: [],
  }
}

function daysOf({ completions, skips, notes, amounts }: ExportedHabit): Day[] {
  const days = [...completions, ...skips, ...notes.map(({ day }) => day), ...amounts.map(({ day }) => day)]
  return [...new Set(days)].toSorted()
}

function todoOf(todo: ExportedTodo): ReadTodo {
  const { id, title, note, priority, tags, parent_id, list_id, due_day, reminder, estimate } = todo
  const repeat = todo.repeat && ruleOf(todo.repeat)
  return {
    ...{ key: id, title, note, priority, tags },
    ...(parent_id !== null && { parent: parent_id }),
    ...(list_id !== null && { list: list_id }),
    ...(due_day !== null && { due: due_day }),
    ...(reminder && { reminder }),
    ...(repeat && { repeat }),
    ...(estimate !== null && { estimate }),
    ...(todo.completed_at !== null &&
      todo.completed_on !== null && {
        completed: { at: instantFromWire(todo.completed_at), on: todo.completed_on },
      }),
  }
}

function habitOf(habit: ExportedHabit): ReadHabit {
  const { id, name, description, start_date, archived_at, completions, skips, notes, reminder } = habit
  const rhythms =
    habit.rhythms.length > 0
      ? habit.rhythms
      : [{ from_day: start_date, rhythm: rhythmOfFrequency(habit.frequency), target: 'yes' as const }]
  return {
    ...{ key: id, name, description, start: start_date, archived: archived_at !== null },
    rhythms: rhythms.map(({ from_day }) => ({ from_day, ...rhythmOn(rhythms, from_day) })),
    ...{ completions, skips, notes, amounts: habit.amounts },
    ...(reminder && { reminder }),
  }
}
