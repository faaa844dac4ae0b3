import { useMemo } from 'react'
import { notificationTag } from '#features/reminders/notification-tag.ts'
import type { Reminder } from '#features/reminders/reminder.ts'
import { closeNotifications } from '#platform/browser/notifications.ts'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { type HabitFacts, historyOf, rhythmOfFacts, setDay } from '../counted-habit.ts'
import { type Frequency, periodEnd, periodStart } from '../streak.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  deleteHabit,
  habitList,
  setHabitReminder,
  uncompletePeriod,
} from './habit-queries.ts'

/** What the person entered in the dialog, trimmed. */
export interface HabitFields {
  name: string
  description: string
  frequency: Frequency
  reminder: Reminder | null
}

export interface HabitActions {
  /** Resolves with false if the device could not store it; the person has been told. The same for `change`. */
  add(fields: HabitFields): Promise<boolean>
  /** `completedDays` are all days of the habit, undefined if they are not known. */
  change(
    habit: HabitFacts,
    changes: Partial<HabitFields>,
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
 * What a person can do to their habits, each action shown at once. The same object until their calendar changes.
 * `onReminderSet` is called when they have set a reminder.
 */
export function useHabitActions(onReminderSet: () => void): HabitActions {
  const write = useWrite()
  const offerUndo = useOfferUndo()
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

    const saveReminder = async (id: string, name: string, reminder: Reminder | null) => {
      const stored = await write(setHabitReminder, { id, name, reminder, at: wireOfNow() })
      if (stored && reminder) onReminderSet()
      return stored
    }

    return {
      async add({ reminder, ...fields }) {
        const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
        const added = write(addHabit, { ...fields, id, start_date: dayOfNow(), weekStart, at: wireOfNow() })
        // At once, so that both are one change.
        const reminded = reminder && saveReminder(id, fields.name, reminder)
        if (!(await added)) return false
        announce('Habit added')
        await reminded
        return true
      },

      async change({ id, earlier, ...habit }, { reminder, ...changes }, completedDays) {
        const { name = habit.name, frequency } = changes
        const writing: Promise<boolean>[] = []
        if (reminder !== undefined) writing.push(saveReminder(id, name, reminder))
        const history =
          completedDays && frequency
            ? historyOf(completedDays, earlier.from, { frequency, weekStart })
            : undefined
        if (Object.keys(changes).length > 0)
          writing.push(write(changeHabit, { id, name, changes, history, at: wireOfNow() }))
        return (await Promise.all(writing)).every(Boolean)
      },

      completeToday(habit, completed, today) {
        // Completing counts now, even in the second before the screen changes to the new day; undoing applies to what
        // the screen shows.
        if (completed) return completeDay(habit, dayOfNow(), true, undefined)
        const rhythm = rhythmOfFacts(habit, weekStart)
        const period = { from: periodStart(today, rhythm), to: periodEnd(today, rhythm) }
        void write(uncompletePeriod, { id: habit.id, name: habit.name, ...period, at: wireOfNow() })
      },

      completeDay,

      remove(habit) {
        moveFocusFromRows((id) => id === habit.id)
        void write(deleteHabit, { id: habit.id, name: habit.name, at: wireOfNow() })
        closeReminderOf(habit)
        offerUndo('Habit deleted', {
          row: { list: habitList.name, subject: habit.id },
          description: habit.name,
        })
      },
    }
  }, [write, offerUndo, onReminderSet, timeZone, dayStart, weekStart])
}

/** On this device: a reminder still shown here would ask for something that is no longer to be done. */
function closeReminderOf({ id }: HabitFacts) {
  void closeNotifications(notificationTag('habit', id))
}
