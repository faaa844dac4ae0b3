import { filledIn, type SentRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { seriesFrom } from '#features/todos/repeat/rule/series.ts'
import type { ExportedDay, ExportedTodo } from '#features/todos/todo/exported-todo.ts'
import { todoRow } from '#features/todos/todo/todo-row.ts'
import { addDays, type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import { valuesWhenMissing } from '#platform/wire/synced-row.ts'
import { type DemoDay, instantAt, type SeededRandom, seededRandom } from './demo-days.ts'

interface RepeatingTask {
  title: string
  inList: boolean
  repeat: Omit<SentRule, 'mode' | 'from'>
  details: Partial<Pick<ExportedTodo, 'tags' | 'estimate' | 'note' | 'reminder'>>
  /** Of 100 occurrences, how many are done on their day, done a day or two later, and skipped. The others are missed. */
  habit: { onTime: number; late: number; skipped: number }
}

const tasks: readonly RepeatingTask[] = [
  {
    title: 'Transfer the rent',
    inList: true,
    repeat: { freq: 'month', every: 1, days: [1] },
    details: { tags: ['money'] },
    habit: { onTime: 85, late: 15, skipped: 0 },
  },
  {
    title: 'Put the bins out',
    inList: true,
    repeat: { freq: 'week', every: 2, weekdays: [2], week_start: 1 },
    details: { reminder: { days_before: 1, time: 19 * 60 } },
    habit: { onTime: 80, late: 0, skipped: 8 },
  },
  {
    title: 'Water the plants',
    inList: true,
    repeat: { freq: 'week', every: 1, weekdays: [3, 7], week_start: 1 },
    details: { tags: ['flat'], estimate: 10 },
    habit: { onTime: 75, late: 12, skipped: 3 },
  },
  {
    title: 'Check the bank statement',
    inList: false,
    repeat: { freq: 'month', every: 1, days: [-1] },
    details: { tags: ['money'], estimate: 15 },
    habit: { onTime: 60, late: 30, skipped: 0 },
  },
]

/** Repeating tasks with the outcome of their occurrences, in the year up to an instant. */
export function demoRepeatingTodos(
  days: readonly DemoDay[],
  home: string | undefined,
  now: Instant,
  zone: string,
): ExportedTodo[] {
  const [first] = days
  if (!first) return []
  const kindOf = new Map(days.map(({ day, kind }) => [day, kind]))
  const from = addDays(first.day, 3)
  return tasks.map(({ title, inList, repeat, details, habit }) => {
    const random = seededRandom('repeating', title)
    const created = instantAt(from, 7 * 60, zone)
    const id = random.id(created)
    const sent: SentRule = { ...repeat, mode: 'due', from }
    const rule = filledIn(sent, 1)
    if (rule.mode !== 'due') throw new Error('It comes back on days that are known')
    const occurrences: ExportedDay[] = []
    for (const day of seriesFrom(rule, from)) {
      const kind = kindOf.get(day)
      if (kind === undefined) break
      const occurrence = kind === 'away' || kind === 'ill' ? undefined : settled(day, habit, random, zone)
      if (occurrence && occurrence.at <= instantToWire(now)) occurrences.push(occurrence)
    }
    return {
      ...valuesWhenMissing(todoRow),
      ...details,
      id,
      title,
      completed: 0,
      completed_at: null,
      completed_on: null,
      repeat: sent,
      due_day: from,
      list_id: inList ? (home ?? null) : null,
      position: newestFirst({ id, created }),
      created_at: instantToWire(created),
      updated_at: occurrences.at(-1)?.at ?? instantToWire(created),
      days: occurrences,
    }
  })
}

function settled(
  day: Day,
  { onTime, late, skipped }: RepeatingTask['habit'],
  random: SeededRandom,
  zone: string,
): ExportedDay | undefined {
  const [chance, later, minutes] = [
    random.between(0, 99),
    random.between(1, 2),
    random.between(8 * 60, 21 * 60),
  ]
  if (chance >= onTime + late + skipped) return undefined
  const done_on = chance >= onTime && chance < onTime + late ? addDays(day, later) : day
  const state = chance < onTime + late ? 'done' : 'skipped'
  return { day, state, done_on, moved_to: null, at: instantToWire(instantAt(done_on, minutes, zone)) }
}
