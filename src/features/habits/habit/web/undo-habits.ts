import { amountOf } from '#features/habits/amounts/amounts.ts'
import { nameOfSpans, rhythmOn, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { type Day, daySchema, instantToWire } from '#platform/calendar/day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { editedParts } from '#platform/sync/undo/edited-parts.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import type { RowChanges, RowToSet } from '#platform/sync/undo/undoing.ts'
import { type HabitFacts, isOfNothing, setDay, type WithHistory } from '../habit-facts.ts'
import { habitRow } from '../habit-row.ts'
import { entriesOn, sessionsOn } from '../known-amounts.ts'
import {
  changeHabit,
  completeHabitDay,
  deleteAmount,
  deleteHabit,
  enterAmount,
  habitCollection,
  restoreAmount,
  restoreHabit,
  setHabitDay,
  setHabitReminder,
  setHabitRhythm,
} from './habit-queries.ts'

const edited = editedParts(habitRow)

/** Undo for habits. Each completed or skipped day, and each entry of an amount, can be undone separately. */
export const undoableHabits = undoableCollection<HabitFacts>({
  collection: habitCollection,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  titleOf,
  partsOf: (habit) =>
    new Map<string, unknown>([
      ...edited.of(asChosen(habit)),
      ['rhythm', nameOfSpans(spansOf(habit.rhythms))],
      ...habit.since.map((day) => [`day:${day}`, 'done'] as const),
      ...habit.skipped.map((day) => [`day:${day}`, 'skipped'] as const),
      ...habit.entries.map(({ id, day }) => [`entry:${day}:${id}`, true] as const),
    ]),
  hides(habit, part) {
    const day = dayOfPart(part)
    if (day === undefined) return false
    const isOfEntry = part.startsWith('entry:')
    return day < habit.earlier.from || (isOfEntry && habit.amounts.some((of) => of.day === day))
  },
  reveal(habit, when, varsOf) {
    const isHidden = ({ id, day }: { id: string; day: Day }) => id === habit.id && day < habit.earlier.from
    const days = [
      ...varsOf(completeHabitDay).map(({ date, completed, ...rest }) => ({
        ...rest,
        day: date,
        state: completed ? 'done' : 'none',
      })),
      ...varsOf(setHabitDay),
    ].filter(isHidden)
    const isIn = (state: string | undefined, wanted: string) =>
      when === 'after' ? state === wanted : wanted === 'done' && state === 'none'
    return {
      ...habit,
      since: days.reduce((since, { day, state }) => setDay(since, day, isIn(state, 'done')), habit.since),
      skipped: days.reduce(
        (since, { day, state }) => setDay(since, day, isIn(state, 'skipped')),
        habit.skipped,
      ),
      entries: [
        ...habit.entries,
        ...(when === 'after' ? varsOf(enterAmount) : [])
          .filter(({ id, entry: { day } }) => isHidden({ id, day }))
          .map(({ entry, at }) => ({ ...entry, at })),
      ],
    }
  },

  set(write, row, { moment: { now } }) {
    const at = instantToWire(now)
    const { current, target, parts } = row
    const { id } = current
    const { name, reminder } = target
    const { reminder: _, ...changes } = edited.changes(asChosen(target), parts)
    if (Object.keys(changes).length > 0) void write(changeHabit, { id, name, changes, at })
    if (parts.includes('rhythm')) setRhythms(write, row, at)
    if (parts.includes('reminder')) void write(setHabitReminder, { id, name, reminder, at })
    for (const part of parts) {
      const day = dayOfPart(part)
      if (day === undefined) continue
      if (part.startsWith('entry:')) setEntry(write, row, part, at)
      else setStateOf(write, row, day, at)
    }
  },
  remove(write, habits, { now }) {
    for (const { id, name } of habits) void write(deleteHabit, { id, name, at: instantToWire(now) })
  },
  restore(write, habits, { now }) {
    for (const habit of habits) void write(restoreHabit, { habit, at: instantToWire(now) })
  },
})

/** The habit with the start that the person chose, instead of an earlier start caused by entries. */
function asChosen(habit: HabitFacts): HabitFacts {
  return { ...habit, start_date: habit.chosen_start.day }
}

/**
 * Restores rhythms. A rhythm row cannot be deleted, so an added row is made equal to the row before it, and then has no effect.
 * Rhythm and target merge separately, so only the changed part is restored.
 */
function setRhythms(write: QueueWrite, { current, target }: RowToSet<HabitFacts>, at: string): void {
  const { id, name } = current
  const changed = current.rhythms.filter((row) => !target.rhythms.includes(row))
  for (const { from_day } of changed) {
    const [is, was] = [rhythmOn(current.rhythms, from_day), rhythmOn(target.rhythms, from_day)]
    const parts = {
      ...(!isSame(is.rhythm, was.rhythm) && { rhythm: was.rhythm }),
      ...(!isSame(is.target, was.target) && { target: was.target }),
    }
    if (Object.keys(parts).length > 0) void write(setHabitRhythm, { id, name, from_day, ...parts, at })
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function setStateOf(write: QueueWrite, row: RowToSet<HabitFacts>, day: Day, at: string): void {
  const { current, target } = row
  const { id, name } = current
  const isSkipped = (habit: HabitFacts) => habit.skipped.includes(day)
  if (!isSkipped(current) && !isSkipped(target)) {
    const completed = target.since.includes(day)
    return void write(completeHabitDay, { id, name, date: day, completed, ...historyOn(row, day), at })
  }
  const state = isSkipped(target) ? 'skipped' : target.since.includes(day) ? 'done' : 'none'
  const keepsAmount = state === 'none'
  void write(setHabitDay, { id, name, day, state, keepsAmount, ...historyOn(row, day), at })
}

/** The history for a day before `earlier.from`, taken from the habit's earlier state. */
function historyOn({ current, target }: RowToSet<HabitFacts>, day: Day): WithHistory {
  const { earlier, since, skipped, amounts, start_date } = target
  const { from } = current.earlier
  if (day >= from || earlier.from !== from || isOfNothing(earlier)) return {}
  return { history: { earlier, since, skipped, amounts, start: start_date } }
}

function setEntry(write: QueueWrite, row: RowToSet<HabitFacts>, part: string, at: string): void {
  const { current, target } = row
  const { id, name } = current
  const entry = target.entries.find((each) => part === `entry:${each.day}:${each.id}`)
  if (entry) {
    const makes = amountOn(target, entry.day) ?? entry.value
    return void write(restoreAmount, { id, name, entry, makes, ...historyOn(row, entry.day), at })
  }
  const [, day, of = ''] = part.split(':')
  const on = daySchema.parse(day)
  void write(deleteAmount, {
    id,
    name,
    entry: of,
    day: on,
    rest: amountOn(target, on),
    ...historyOn(row, on),
    at,
  })
}

function amountOn(habit: HabitFacts, day: Day): number | null {
  return amountOf(entriesOn(habit, day), sessionsOn(habit, day))
}

function dayOfPart(part: string): Day | undefined {
  return daySchema.safeParse(/^(?:day|entry):([^:]*)/.exec(part)?.[1]).data
}

function titleOf({ added, removed, changed }: RowChanges<HabitFacts>): string {
  if (added.length > 0) return 'Habit added'
  if (removed.length > 0) return 'Habit deleted'
  const parts = changed.flatMap((row) => row.parts)
  if (parts.some((part) => part.startsWith('entry:'))) return 'Amount changed'
  const states = changed.flatMap(({ to, parts }) =>
    parts
      .flatMap((part) => dayOfPart(part) ?? [])
      .map((day) =>
        to.since.includes(day) ? 'completed' : to.skipped.includes(day) ? 'skipped' : 'reopened',
      ),
  )
  const archived = changed.find((row) => row.parts.includes('archived_at'))
  if (archived) return archived.to.archived_at === null ? 'Habit taken out of the archive' : 'Habit archived'
  if (states.length === 0) return edited.title(changed, 'Habit changed')
  if (states.includes('completed')) return 'Habit completed'
  return states.includes('skipped') ? 'Day skipped' : 'Habit reopened'
}
