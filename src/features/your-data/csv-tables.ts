import { amountOf } from '#features/habits/amounts/amounts.ts'
import { rhythmOn } from '#features/habits/rhythm/rhythm.ts'
import { dueNow } from '#features/todos/repeat/rule/repeat.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { rruleOfRule } from '#features/todos/repeat/rule/rrule-of-rule.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import type { CsvRow } from '#platform/wire/csv.ts'
import type { ExportedAccount } from './exported-account.ts'

// The account as tables, for other apps and spreadsheets. Daymark's importer of CSV files reads them, too.

export interface Table {
  head: readonly string[]
  rows: CsvRow[]
}

const priorities = ['', 'low', 'medium', 'high'] as const

/** The tasks in their order. Each done occurrence is a row of its own below the repeating task. */
export function tasksTable({ todos, lists }: Pick<ExportedAccount, 'todos' | 'lists'>, today: Day): Table {
  const listNames = new Map(lists.map(({ id, name }) => [id, name]))
  const titles = new Map(todos.map(({ id, title }) => [id, title]))
  const rows = todos.flatMap((todo): CsvRow[] => {
    const { title, list_id, parent_id, note, priority, tags, estimate, created_at, days = [] } = todo
    const names = [title, listNames.get(list_id ?? '') ?? '', titles.get(parent_id ?? '') ?? '']
    const about = [...names, note, priorities[priority], tags.join(', ')]
    const rule = todo.repeat === null || parent_id !== null ? undefined : ruleOf(todo.repeat)
    const due = rule ? dueNow(rule, { occurrences: days }, today).open?.due : todo.due_day
    const isDone = rule ? due === undefined : todo.completed === 1
    const repeat = !rule ? '' : rule.mode === 'due' ? rruleOfRule(rule) : repeatWords(rule)
    const done = rule || !isDone ? ['', ''] : [todo.completed_on ?? '', todo.completed_at ?? '']
    const row = [...about, due ?? '', repeat, estimate ?? '', isDone ? 'yes' : 'no', ...done, created_at]
    const ofDays = days
      .filter(({ state }) => state === 'done')
      .map(({ day, done_on, at }) => [
        ...about,
        day,
        '',
        estimate ?? '',
        'yes',
        done_on ?? '',
        at,
        created_at,
      ])
    return [row, ...ofDays]
  })
  const head = ['title', 'list', 'parent', 'note', 'priority', 'tags', 'due', 'repeat', 'estimate (minutes)']
  return { head: [...head, 'done', 'done on', 'done at', 'created'], rows }
}

/** A row for each day of each habit on which anything was recorded. */
export function completionsTable({ habits }: Pick<ExportedAccount, 'habits'>): Table {
  const rows = habits.flatMap((habit): CsvRow[] => {
    const [done, skipped] = [new Set(habit.completions), new Set(habit.skips)]
    const notes = new Map(habit.notes.map(({ day, note }) => [day, note]))
    const entries = Map.groupBy(habit.amounts, ({ day }) => day)
    const days = new Set([...done, ...skipped, ...notes.keys(), ...entries.keys()])
    return [...days].sort().map((day) => {
      const ofDay = (entries.get(day) ?? []).map((entry) => ({
        ...entry,
        at: instantFromWire(entry.at),
        deleted: false,
      }))
      const amount = amountOf(ofDay)
      const { target } = rhythmOn(habit.rhythms, day)
      const unit = target === 'yes' ? '' : target.unit
      const state = done.has(day) ? 'done' : skipped.has(day) ? 'skipped' : ''
      const cells = amount === null ? ['', ''] : [amount / 1000, unit]
      return [habit.name, day, state, ...cells, notes.get(day) ?? '']
    })
  })
  return { head: ['habit', 'day', 'state', 'amount', 'unit', 'note'], rows }
}

/** The focus sessions. A day's total has the day, but neither start nor end. */
export function sessionsTable({
  focus_sessions,
  todos,
  habits,
}: Pick<ExportedAccount, 'focus_sessions' | 'todos' | 'habits'>): Table {
  const titles = new Map(todos.map(({ id, title }) => [id, title]))
  const names = new Map(habits.map(({ id, name }) => [id, name]))
  const rows = focus_sessions.map(
    ({ kind, started_at, ended_at, duration, days, todo_id, habit_id }): CsvRow => {
      const subject = [titles.get(todo_id ?? '') ?? '', names.get(habit_id ?? '') ?? '']
      return [
        started_at ?? days[0]?.day ?? '',
        started_at === null ? '' : ended_at,
        duration,
        kind,
        ...subject,
      ]
    },
  )
  return { head: ['start', 'end', 'duration (seconds)', 'kind', 'task', 'habit'], rows }
}
