import { amountOf } from '#features/habits/amounts/amounts.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { entriesOn } from '#features/habits/habit/known-amounts.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  deleteAmount,
  deleteHabit,
  enterAmount,
  restoreAmount,
  restoreHabit,
  setHabitDay,
  setHabitRhythm,
  uncompletePeriod,
} from '#features/habits/habit/web/habit-queries.ts'
import type { PauseRow } from '#features/habits/pauses/pause.ts'
import { addPause, deletePause, editPause, restorePause } from '#features/habits/pauses/web/pause-queries.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { Placed } from '#platform/order/position.ts'
import { entryField, entryText, rhythmFields, settlesField, unmoved } from '../rules/row-fields.ts'
import type { ChangeBuilder, QueueableChange } from './one-change.ts'
import { pick } from './pick.ts'
import type { Deleted, View } from './view.ts'

// What a person does to habits. A habit stays either ticked or counted (done by reaching an amount), so that its days follow from
// the changes alone. Its rhythm and target amount may change.

export const ofHabits = [
  'complete day',
  'uncheck days',
  'rename habit',
  'delete habit',
  'restore habit',
  'complete day',
  'describe habit',
  'skip day',
  'add habit',
  'move start',
] as const
export const ofRhythms = [
  'change rhythm',
  'change rhythm',
  'skip day',
  'skip day',
  'complete day',
  'note day',
  'archive habit',
  'delete habit',
  'restore habit',
  'add habit',
  'move start',
] as const
export const ofAmounts = [
  'add amount',
  'add amount',
  'add amount',
  'set amount',
  'set amount',
  'delete amount',
  'restore amount',
  'change target',
  'skip day',
  'delete habit',
  'restore habit',
  'move start',
  'move start',
] as const
export const ofPauses = [
  'pause habit',
  'pause habit',
  'pause all',
  'end pause',
  'end pause',
  'begin pause',
  'delete pause',
  'restore pause',
  'complete day',
  'change rhythm',
] as const

export type HabitAction =
  | (typeof ofHabits)[number]
  | (typeof ofRhythms)[number]
  | (typeof ofAmounts)[number]
  | (typeof ofPauses)[number]

const rhythms: readonly [Rhythm, ...Rhythm[]] = [
  { every: 1 },
  { times: 1, per: 'week' },
  { times: 3, per: 'week' },
  { weekdays: [1, 3, 5] },
  { every: 3 },
  { times: 2, days: 5 },
  { times: 4, per: 'month' },
]
const targets: readonly [Target, ...Target[]] = [
  { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' },
  { at: 'most', amount: 2_000, unit: 'cups', per: 'day' },
  { at: 'least', amount: 20_000, unit: 'pages', per: 'week' },
]

/** Pairs of actions by two devices that do not know of each other, mostly on the same part of the same row. */
export const clashingActions = [
  ['complete day', 'skip day'],
  ['skip day', 'complete day'],
  ['complete day', 'uncheck days'],
  ['skip day', 'skip day'],
  ['skip day', 'add amount'],
  ['note day', 'note day'],
  ['note day', 'skip day'],
  ['change rhythm', 'change rhythm'],
  ['change rhythm', 'change target'],
  ['change target', 'change rhythm'],
  ['change target', 'change target'],
  ['add amount', 'add amount'],
  ['add amount', 'set amount'],
  ['set amount', 'add amount'],
  ['set amount', 'set amount'],
  ['set amount', 'delete amount'],
  ['delete amount', 'set amount'],
  ['delete amount', 'restore amount'],
  ['begin pause', 'end pause'],
  ['end pause', 'begin pause'],
  ['end pause', 'end pause'],
  ['move start', 'move start'],
  ['move start', 'complete day'],
  ['add amount', 'move start'],
  ['archive habit', 'archive habit'],
  ['archive habit', 'move habit'],
  ['move habit', 'move habit'],
] as const

/** A day this many days ago lies before the days that a habit is sent with; the server sends only the sum of those older days. */
const summedDaysAgo = 20

interface HabitIntent {
  action: HabitAction
  which: number
  value: number
}

export function habitChange(
  { action, which, value }: Omit<HabitIntent, 'action'> & { action: string },
  builder: ChangeBuilder,
  { habits, pauses }: View,
  deleted: Deleted,
): QueueableChange | undefined {
  const { at, text, today } = builder
  if (action === 'add habit') {
    const id = builder.newId()
    const start_date = addDays(today, -5 * value)
    const texts = { name: text, description: '' }
    const target = value % 2 === 0 ? 'yes' : pick(targets, which)
    const rhythm = pick(rhythms, which)
    const vars = { id, ...texts, frequency: 'daily', rhythm, target, start_date, weekStart: 1, at } as const
    return builder.build('add', addHabit, id, vars, {
      ...texts,
      position: unmoved,
      archived_at: null,
      start: start_date,
      ...rhythmFields(start_date, { rhythm, target }),
    })
  }
  if (action === 'restore habit') {
    const habit = pick(deleted.habits, which)
    return habit && builder.build('restore', restoreHabit, habit.id, { habit, at })
  }
  const ofPause = pauseChange({ action, which, value }, builder, pauses, deleted.pauses, habits)
  if (ofPause) return ofPause
  const habit = pick(
    habits?.filter((each) => !isAmountAction(action) || isCounted(each)),
    which,
  )
  if (!habit) return undefined
  const { id } = habit
  const recent = addDays(today, -(value % 4))
  // Devices do not know the amount entries of days that the server sends only as a sum.
  const day =
    value % 4 === 3 && !isCounted(habit) ? addDays(today, -summedDaysAgo - Math.floor(value / 8)) : recent
  const change = (changes: Pick<Partial<HabitFacts>, 'name' | 'description' | 'archived_at'>) =>
    builder.build('edit', changeHabit, id, { id, name: text, changes, at }, changes)
  if (action === 'rename habit') return change({ name: text })
  if (action === 'describe habit') return change({ description: text })
  if (action === 'move start') {
    const start_date = addDays(today, -3 * value)
    const vars = { id, name: text, changes: { start_date }, at }
    return builder.build('edit', changeHabit, id, vars, { start: start_date })
  }
  if (action === 'archive habit') return change({ archived_at: habit.archived_at === null ? at : null })
  if (action === 'change rhythm' || action === 'change target') {
    const from_day = addDays(today, value % 4 === 3 ? -summedDaysAgo : (value % 4) - 1)
    const part =
      action === 'change rhythm' ? { rhythm: pick(rhythms, which + value) } : { target: pick(targets, value) }
    const vars = { id, name: text, from_day, ...part, at }
    return builder.build('edit', setHabitRhythm, id, vars, rhythmFields(from_day, part))
  }
  if (action === 'note day') {
    return builder.build(
      'edit',
      setHabitDay,
      id,
      { id, name: text, day, note: text, at },
      { [`note ${day}`]: text },
    )
  }
  if (action === 'skip day') {
    const state = habit.skipped.includes(day) ? 'none' : 'skipped'
    return builder.build(
      'edit',
      setHabitDay,
      id,
      { id, name: text, day, state, keepsAmount: state === 'none', at },
      dayFields(habit, [day], state),
    )
  }
  if (action === 'delete habit') {
    deleted.habits.push(habit)
    return builder.build('delete', deleteHabit, id, { id, name: text, at })
  }
  const ofAmount = amountChange({ action, which, value }, builder, habit, day, deleted)
  // Ticking a counted habit enters an amount, as the screens do.
  if (ofAmount || isCounted(habit)) return ofAmount
  if (action === 'complete day') {
    const completed = !habit.since.includes(day)
    const fields = dayFields(habit, [day], completed ? 'done' : 'none')
    return builder.build('edit', completeHabitDay, id, { id, name: text, date: day, completed, at }, fields)
  }
  if (action !== 'uncheck days') return undefined
  const fields = dayFields(habit, daysFrom(recent, today), 'none')
  return builder.build('edit', uncompletePeriod, id, { id, name: text, from: recent, to: today, at }, fields)
}

export function moveHabit(builder: ChangeBuilder, { id, position }: Placed): QueueableChange {
  const { at, text: name } = builder
  return builder.build('edit', changeHabit, id, { id, name, changes: { position }, at }, { position })
}

function isAmountAction(action: string): boolean {
  return action.endsWith('amount') || action === 'change target'
}

/** The changed fields of days. In a counted habit, the entries say what was done on a day. */
export function dayFields(habit: HabitFacts, days: readonly Day[], state: 'done' | 'skipped' | 'none') {
  if (isCounted(habit)) {
    return state === 'done' ? {} : Object.fromEntries(days.map((day) => [`skip ${day}`, state === 'skipped']))
  }
  return Object.fromEntries(days.map((day) => [day, state]))
}

function amountChange(
  { action, which, value }: Omit<HabitIntent, 'action'> & { action: string },
  builder: ChangeBuilder,
  habit: HabitFacts,
  day: Day,
  deleted: Deleted,
): QueueableChange | undefined {
  const { at, text: name } = builder
  const { id } = habit
  const before = entriesOn(habit, day)
  if (action === 'add amount' || action === 'set amount') {
    const set = action === 'set amount'
    const amount = 500 * (value + (set ? 0 : 1))
    const settles = before.flatMap((each) => (each.set ? [] : [each.id]))
    const entry = { id: builder.newId(), day, value: amount, set, settles: set ? settles : [] }
    const makes = set ? amount : (amountOf(before) ?? 0) + amount
    return builder.build(
      'edit',
      enterAmount,
      id,
      { id, name, entry, makes, at },
      { [entryField(entry.id)]: entryText(entry), ...(set && { [settlesField(entry.id)]: settles }) },
    )
  }
  if (action === 'delete amount') {
    const entry = pick(habit.entries, which)
    if (!entry) return undefined
    deleted.entries.push({ habit: id, entry })
    const others = entriesOn(habit, entry.day).filter((each) => each.id !== entry.id)
    const vars = { id, name, entry: entry.id, day: entry.day, rest: amountOf(others), at }
    return builder.build('edit', deleteAmount, id, vars, { [entryField(entry.id)]: false })
  }
  if (action !== 'restore amount') return undefined
  const gone = pick(
    deleted.entries.filter((each) => each.habit === id),
    which,
  )
  if (!gone) return undefined
  const { entry } = gone
  const makes =
    amountOf([...entriesOn(habit, entry.day), { ...entry, at: builder.instant, deleted: false }]) ?? 0
  return builder.build(
    'edit',
    restoreAmount,
    id,
    { id, name, entry, makes, at },
    { [entryField(entry.id)]: entryText(entry) },
  )
}

function pauseChange(
  { action, which, value }: Omit<HabitIntent, 'action'> & { action: string },
  builder: ChangeBuilder,
  pauses: PauseRow[] | undefined,
  deleted: PauseRow[],
  habits: HabitFacts[] | undefined,
): QueueableChange | undefined {
  const { at, text: name, today } = builder
  if (action === 'pause habit' || action === 'pause all') {
    const id = builder.newId()
    const habit_id = action === 'pause all' ? null : (pick(habits, which)?.id ?? null)
    const days = {
      from_day: addDays(today, (value % 5) - 3),
      to_day: value % 2 === 0 ? null : addDays(today, value - 4),
    }
    return builder.build('add', addPause, id, { id, habit_id, ...days, name, at }, { habit_id, ...days })
  }
  if (action === 'restore pause') {
    const pause = pick(deleted, which)
    return pause && builder.build('restore', restorePause, pause.id, { pause, name, at })
  }
  if (!action.endsWith(' pause')) return undefined
  const pause = pick(pauses, which)
  if (!pause) return undefined
  const { id } = pause
  const edit = (changes: Partial<Pick<PauseRow, 'from_day' | 'to_day'>>) =>
    builder.build('edit', editPause, id, { id, name, changes, at }, changes)
  if (action === 'end pause')
    return edit({ to_day: pause.to_day === null ? addDays(today, value - 4) : null })
  if (action === 'begin pause') return edit({ from_day: addDays(today, value - 4) })
  deleted.push(pause)
  return builder.build('delete', deletePause, id, { id, name, at })
}

/** Whether the habit counts an amount. A habit here does so from its first day or never. */
export function isCounted({ rhythms }: Pick<HabitFacts, 'rhythms'>): boolean {
  return rhythms.some(({ target }) => target !== null && target !== 'yes')
}
