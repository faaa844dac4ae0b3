import { type Day, daySchema, instantToWire } from '#platform/calendar/day.ts'
import { putsBack } from '#platform/sync/undo/put-back.ts'
import type { RowChanges } from '#platform/sync/undo/undoing.ts'
import { type HabitFacts, setDay } from '../counted-habit.ts'
import {
  changeHabit,
  completeHabitDay,
  deleteHabit,
  habitList,
  restoreHabit,
  setHabitReminder,
} from './habit-queries.ts'

/** Puts back habits; every day on which one was completed on its own. */
export const putsBackHabits = putsBack<HabitFacts>({
  collection: habitList,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  titleOf,
  partsOf: ({ name, description, frequency, reminder, since }) =>
    new Map<string, unknown>([
      ...Object.entries({ name, description, frequency, reminder }),
      ...since.map((day) => [`day:${day}`, true] as const),
    ]),
  hides(habit, part) {
    const day = dayOfPart(part)
    return day !== undefined && day < habit.earlier.from
  },
  reveal(habit, when, varsOf) {
    const hidden = varsOf(completeHabitDay).filter(
      ({ id, date }) => id === habit.id && date < habit.earlier.from,
    )
    const since = hidden.reduce(
      (days, { date, completed }) => setDay(days, date, when === 'after' ? completed : !completed),
      habit.since,
    )
    return { ...habit, since }
  },

  set(write, rows, { moment: { now } }) {
    const at = instantToWire(now)
    for (const { current, target, parts } of rows) {
      const { id } = current
      const { name, description, frequency, reminder, summed, earlier, since } = target
      const changes = {
        ...(parts.includes('name') && { name }),
        ...(parts.includes('description') && { description }),
        ...(parts.includes('frequency') && { frequency }),
      }
      if (Object.keys(changes).length > 0) {
        const history = parts.includes('frequency') && summed === frequency ? { earlier, since } : undefined
        void write(changeHabit, { id, name, changes, history, at })
      }
      if (parts.includes('reminder')) void write(setHabitReminder, { id, name, reminder, at })
      for (const date of parts.flatMap((part) => dayOfPart(part) ?? []))
        void write(completeHabitDay, { id, name, date, completed: since.includes(date), at })
    }
  },
  remove(write, habits, { now }) {
    for (const { id, name } of habits) void write(deleteHabit, { id, name, at: instantToWire(now) })
  },
  restore(write, habits, { now }) {
    for (const habit of habits) void write(restoreHabit, { habit, at: instantToWire(now) })
  },
})

function dayOfPart(part: string): Day | undefined {
  return daySchema.safeParse(/^day:(.*)$/.exec(part)?.[1]).data
}

function titleOf({ added, removed, changed }: RowChanges<HabitFacts>): string {
  if (added.length > 0) return 'Habit added'
  if (removed.length > 0) return 'Habit deleted'
  const days = changed.flatMap(({ to, parts }) =>
    parts.flatMap((part) => dayOfPart(part) ?? []).map((day) => to.since.includes(day)),
  )
  if (days.length === 0) return 'Habit changed'
  return days.includes(true) ? 'Habit completed' : 'Habit reopened'
}
