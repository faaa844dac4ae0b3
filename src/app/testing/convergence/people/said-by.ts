import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { occurrenceSchema } from '#features/todos/repeat/rule/occurrences.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { daySchema } from '#platform/calendar/day.ts'
import type { NewQueuedWrite } from '#platform/sync/local-store/queued-write.ts'
import type { Deed, DeviceDay } from '../rules/deed.ts'
import { entryField, movedHabitTo, movedTodoTo } from '../rules/row-fields.ts'
import type { Change } from '../rules/rule.ts'
import { tagField } from '../rules/tag-rule.ts'
import { dayFields } from './habit-person.ts'
import type { View } from './view.ts'

/** What a write changes in a row. */
export interface Said extends Pick<Change, 'collection' | 'row' | 'kind' | 'fields' | 'deed'> {
  /** The parts of the change that are undone separately. */
  parts: readonly string[]
}

/** What an undo or redo write changes, in the form that the rule checks. `view` is what the person sees. */
export function saidBy({ list: collection, subject, write, vars }: NewQueuedWrite, view: View): Said {
  const row = collection === 'preferences' ? 'all' : subject
  if (/^[a-z]+\.(delete|restore)$/.test(write)) {
    const kind = write.endsWith('delete') ? 'delete' : 'restore'
    return { collection, row, kind, fields: new Map(), parts: ['there'] }
  }
  const said = record(vars)
  const fields = new Map(Object.entries(fieldsOf(write, row, said, view)))
  const parts = partsOf(write, said, [...fields.keys()])
  return { collection, row, kind: 'edit', fields, parts }
}

function partsOf(write: string, { day, occurrence }: Record<string, unknown>, fields: string[]): string[] {
  if (write === 'habits.rhythm') return ['rhythm']
  if (write === 'todos.day') return [`day ${String(day)}`]
  // A day sent with a rule is the rule's first day; a day sent with an occurrence is where the occurrence was moved to.
  const ofDay = occurrence === undefined ? 'repeat' : `moved ${String(occurrence)}`
  return fields.map((field) => (field === 'due_day' ? ofDay : field))
}

function fieldsOf(
  write: string,
  row: string,
  said: Record<string, unknown>,
  { todos, habits }: View,
): Record<string, unknown> {
  const { title, note, completed, day, date, state, entry, change, from_day } = said
  const { tags, position, repeat, start_date, time_zone, time_zone_follows_browser, ...changes } = record(
    said.changes ?? change,
  )
  if (write === 'todos.rename') return { title }
  if (write === 'todos.note') return { note }
  if (write === 'todos.complete') return { completed }
  if (write === 'todos.day') return {}
  const habit = habits?.find(({ id }) => id === row)
  if (write === 'habits.complete' && habit) return ofDay(habit, date, completed ? 'done' : 'none')
  if (write === 'habits.day' && habit) return ofDay(habit, day, state)
  if (write === 'habits.amount.delete') return { [entryField(String(entry))]: false }
  if (write === 'habits.amount.restore') {
    const { id, day, value, set } = record(entry)
    return { [entryField(String(id))]: JSON.stringify({ day, value, set }) }
  }
  if (write === 'habits.rhythm') {
    const parts = ['rhythm', 'target'].filter((part) => said[part] !== undefined)
    return Object.fromEntries(
      parts.map((part) => [`${part} from ${String(from_day)}`, JSON.stringify(said[part])]),
    )
  }
  const todo = todos?.find(({ id }) => id === row)
  const placed = todo
    ? movedTodoTo({ ...todo, position: String(position) })
    : habit
      ? movedHabitTo({ ...habit, position: String(position) })
      : position
  const { add = [], remove = [] } = record(tags)
  return {
    ...changes,
    ...(position !== undefined && { position: placed }),
    ...(start_date !== undefined && { start: start_date }),
    ...(repeat !== undefined && { repeat: repeat && JSON.stringify(repeat) }),
    ...(time_zone !== undefined && {
      zone: `${String(time_zone)}, ${time_zone_follows_browser ? 'followed' : 'fixed'}`,
    }),
    ...Object.fromEntries([add].flat().map((tag) => [tagField(String(tag)), true])),
    ...Object.fromEntries([remove].flat().map((tag) => [tagField(String(tag)), false])),
  }
}

function ofDay(habit: HabitFacts, day: unknown, state: unknown): Record<string, unknown> {
  const is = state === 'done' || state === 'skipped' ? state : 'none'
  return dayFields(habit, [daySchema.parse(day)], is)
}

/** What an undo or redo write does to a repeating to-do. An undo or redo always names the occurrence. */
export function deedOf({ write, vars }: NewQueuedWrite, on: DeviceDay): Deed | undefined {
  const { day, state, done_on, completed, occurrence, changes } = record(vars)
  if (write === 'todos.complete') {
    const done_on = daySchema.parse(day)
    return { on, does: 'complete', completed: completed === 1 ? 1 : 0, done_on }
  }
  if (write === 'todos.day') {
    const settled = occurrenceSchema.safeParse({ day, state, done_on, moved_to: null }).data
    return settled && { on, does: 'settle', day: settled.day, state: settled.state, done_on: settled.done_on }
  }
  if (write !== 'todos.dates') return undefined
  const { repeat, due_day } = record(changes)
  if (repeat !== undefined)
    return { on, does: 'rule', rule: repeat === null ? null : (ruleOf(repeat) ?? null) }
  const moved = due_day === null ? null : daySchema.parse(due_day)
  return {
    on,
    does: 'move',
    due_day: moved,
    ...(occurrence !== undefined && { day: daySchema.parse(occurrence) }),
  }
}

function record(value: unknown): Record<string, unknown> {
  return { ...Object(value) }
}
