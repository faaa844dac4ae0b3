import { useMemo } from 'react'
import { notificationTag } from '#features/reminders/notification-tag.ts'
import type { Reminder } from '#features/reminders/reminder.ts'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { offerUndo } from '#platform/sync/offer-undo.ts'
import { useWrite } from '#platform/sync/use-list.ts'
import { announce } from '#platform/ui/announcer.tsx'
import { closeNotifications } from '#platform/ui/notifications.ts'
import { focusLeaves, focusReturns } from '#platform/ui/row-focus.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { type HabitFacts, historyOf, rhythmOfFacts, setDay } from '../counted-habit.ts'
import { type Frequency, periodEnd, periodStart } from '../streak.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  deleteHabit,
  habitList,
  restoreHabit,
  setHabitReminder,
  uncompletePeriod,
} from './habit-queries.ts'

/** What a person says of a habit in the dialog, trimmed. */
export interface HabitWords {
  name: string
  description: string
  frequency: Frequency
  reminder: Reminder | null
}

export interface HabitActions {
  /** False when the device could not keep it; the person has been told. So for `change`. */
  add(words: HabitWords): Promise<boolean>
  /** `completedDays` are all of the habit's, undefined where they are not known. */
  change(
    habit: HabitFacts,
    changes: Partial<HabitWords>,
    completedDays: readonly Day[] | undefined,
  ): Promise<boolean>
  /** `today` is the day that the screen shows as today. */
  completeToday(habit: HabitFacts, completed: boolean, today: Day): void
  completeDay(
    habit: HabitFacts,
    date: Day,
    completed: boolean,
    completedDays: readonly Day[] | undefined,
  ): void
  remove(habit: HabitFacts): void
}

/**
 * What a person does to their habits, each shown at once. The same object until their calendar changes. `onReminderSet`:
 * they have just asked to be reminded of one.
 */
export function useHabitActions(onReminderSet: () => void): HabitActions {
  const write = useWrite()
  const { timeZone, dayStart, weekStart } = useUserCalendar()
  return useMemo(() => {
    const dayOfNow = () => dayOf(Date.now(), timeZone, dayStart)
    const wireOfNow = () => instantToWire(Date.now())

    const completeDay: HabitActions['completeDay'] = (habit, date, completed, completedDays) => {
      const { id, name, earlier } = habit
      const history =
        completedDays && date < earlier.from
          ? historyOf(setDay(completedDays, date, completed), earlier.from, rhythmOfFacts(habit, weekStart))
          : undefined
      void write(completeHabitDay, { id, name, date, completed, history, at: wireOfNow() })
      const inTodaysPeriod = date >= periodStart(dayOfNow(), rhythmOfFacts(habit, weekStart))
      if (completed && inTodaysPeriod) closeReminderOf(habit)
    }

    const remind = async (id: string, name: string, reminder: Reminder | null) => {
      const kept = await write(setHabitReminder, { id, name, reminder, at: wireOfNow() })
      if (kept && reminder) onReminderSet()
      return kept
    }

    const restore = async (habit: HabitFacts) => {
      if (!(await write(restoreHabit, { habit, at: wireOfNow() }))) return
      announce('Habit restored')
      focusReturns(habit.id)
    }

    return {
      async add({ reminder, ...words }) {
        const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
        const kept = await write(addHabit, {
          ...words,
          id,
          start_date: dayOfNow(),
          weekStart,
          at: wireOfNow(),
        })
        if (!kept) return false
        announce('Habit added')
        if (reminder) await remind(id, words.name, reminder)
        return true
      },

      async change({ id, earlier, ...habit }, { reminder, ...changes }, completedDays) {
        const { name = habit.name, frequency } = changes
        if (reminder !== undefined && !(await remind(id, name, reminder))) return false
        if (Object.keys(changes).length === 0) return true
        const history =
          completedDays && frequency
            ? historyOf(completedDays, earlier.from, { frequency, weekStart })
            : undefined
        return write(changeHabit, { id, name, changes, history, at: wireOfNow() })
      },

      completeToday(habit, completed, today) {
        // Done is now, even in the second in which the screen has yet to turn over; undone is what the screen shows.
        if (completed) return completeDay(habit, dayOfNow(), true, undefined)
        const rhythm = rhythmOfFacts(habit, weekStart)
        const period = { from: periodStart(today, rhythm), to: periodEnd(today, rhythm) }
        void write(uncompletePeriod, { id: habit.id, name: habit.name, ...period, at: wireOfNow() })
      },

      completeDay,

      remove(habit) {
        focusLeaves((id) => id === habit.id)
        void write(deleteHabit, { id: habit.id, name: habit.name, at: wireOfNow() })
        closeReminderOf(habit)
        offerUndo('Habit deleted', {
          row: { list: habitList.name, subject: habit.id },
          description: habit.name,
          undo: () => void restore(habit),
        })
      },
    }
  }, [write, onReminderSet, timeZone, dayStart, weekStart])
}

/** On this device: what is still shown of it asks for what is no more to be done. */
function closeReminderOf({ id }: HabitFacts) {
  void closeNotifications(notificationTag('habit', id))
}
