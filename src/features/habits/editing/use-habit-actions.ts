import { useMemo } from 'react'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import { addDays, dayOf, instantToWire } from '#platform/calendar/day.ts'
import type { Placed } from '#platform/order/position.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { closeReminderOf, type DayActions, useDayActions } from '../days/web/use-day-actions.ts'
import { historyOf } from '../habit/counted-habit.ts'
import { type HabitFacts, rhythmsWith } from '../habit/habit-facts.ts'
import {
  addHabit,
  changeHabit,
  deleteHabit,
  type HabitEdit,
  habitCollection,
  setHabitReminder,
  setHabitRhythm,
} from '../habit/web/habit-queries.ts'
import type { PauseRow } from '../pauses/pause.ts'
import {
  addPause,
  deletePause,
  editPause,
  type PausedDays,
  pauseCollection,
} from '../pauses/web/pause-queries.ts'
import type { HabitDays } from '../rhythm/habit-track.ts'
import { frequencyOf, type Rhythm, rhythmOfFrequency, sameRhythm, type Target } from '../rhythm/rhythm.ts'

/** What the person entered in the dialog, trimmed. */
export interface HabitFields {
  name: string
  description: string
  rhythm: Rhythm
  target: Target
  reminder: Reminder | null
}

export interface HabitActions extends DayActions {
  /**
   * Adds a habit. Resolves with false if the device could not store the change; the person has been told. `change` resolves in
   * the same way.
   */
  add(fields: HabitFields): Promise<boolean>
  /** A changed rhythm or target counts from today on; earlier days keep the old one. */
  change(habit: HabitFacts, changes: Partial<HabitFields>, all?: HabitDays): Promise<boolean>
  /** Pauses a habit; null for all habits. */
  pause(habit: HabitFacts | null, days: PausedDays): void
  /** Ends these pauses yesterday. A pause that has not begun before today is deleted. */
  resume(habit: HabitFacts | null, pauses: readonly PauseRow[]): void
  deletePause(pause: PauseRow, name: string): void
  setArchived(habit: HabitFacts, archived: boolean): void
  /** Sets the positions that a move needs: the position of the moved habit, and if necessary that of a neighbor. */
  move(habit: HabitFacts, to: readonly Placed[]): void
  remove(habit: HabitFacts): void
}

/**
 * What a person can do to their habits; each action shows at once. Returns the same object until the calendar or the pauses
 * change.
 */
export function useHabitActions(): HabitActions {
  const { onReminderSet } = useScreenServices()
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { timeZone, dayStart, weekStart } = useUserCalendar()
  const ofDays = useDayActions()
  return useMemo(() => {
    const dayOfNow = () => dayOf(Date.now(), timeZone, dayStart)
    const wireOfNow = () => instantToWire(Date.now())
    const newId = () => newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const edit = ({ id, name }: HabitFacts, changes: HabitEdit) =>
      write(changeHabit, { id, name: changes.name ?? name, changes, at: wireOfNow() })
    const offer = (title: string, { id, name }: HabitFacts) =>
      offerUndo(title, { row: { list: habitCollection.name, subject: id }, description: name })
    const offerOfPause = (title: string, id: string, name: string) =>
      offerUndo(title, { row: { list: pauseCollection.name, subject: id }, description: name })

    const saveReminder = async (id: string, name: string, reminder: Reminder | null) => {
      const stored = await write(setHabitReminder, { id, name, reminder, at: wireOfNow() })
      if (stored && reminder) onReminderSet()
      return stored
    }

    return {
      ...ofDays,

      async add({ reminder, rhythm, target, ...fields }) {
        const id = newId()
        const added = write(addHabit, {
          ...fields,
          ...sentRhythm(rhythm, target),
          id,
          start_date: dayOfNow(),
          weekStart,
          at: wireOfNow(),
        })
        // Queue this write without waiting for the first one, so that Undo treats both as one change.
        const reminded = reminder && saveReminder(id, fields.name, reminder)
        if (!(await added)) return false
        announce('Habit added')
        await reminded
        return true
      },

      async change(habit, { reminder, rhythm, target, ...changes }, all) {
        const { id } = habit
        const { name = habit.name } = changes
        const writing: Promise<boolean>[] = []
        if (reminder !== undefined) writing.push(saveReminder(id, name, reminder))
        if (rhythm !== undefined || target !== undefined) {
          // A change can't take effect before the first rhythm row.
          const first = habit.rhythms.map((row) => row.from_day).sort()[0]
          const today = dayOfNow()
          const from_day = first !== undefined && first > today ? first : today
          const parts = { ...(rhythm && { rhythm }), ...(target && { target }) }
          const rows = rhythmsWith(habit.rhythms, { from_day, ...parts })
          const history = all && !target && historyOf({ ...all, rows }, habit.earlier.from)
          writing.push(
            write(setHabitRhythm, {
              id,
              name,
              from_day,
              ...parts,
              ...(history && { history }),
              at: wireOfNow(),
            }),
          )
        }
        if (Object.keys(changes).length > 0) writing.push(edit(habit, changes))
        return (await Promise.all(writing)).every(Boolean)
      },

      pause(habit, days) {
        const id = newId()
        const name = habit?.name ?? 'All habits'
        void write(addPause, { id, habit_id: habit?.id ?? null, name, ...days, at: wireOfNow() })
        if (habit && days.from_day <= dayOfNow()) closeReminderOf(habit)
        offerOfPause('Paused', id, name)
      },

      resume(habit, pauses) {
        const today = dayOfNow()
        // Resuming one habit ends only its own pauses; a pause of all habits can only be ended for all.
        const ended = pauses.filter(({ habit_id }) => habit_id === (habit?.id ?? null))
        const name = habit?.name ?? 'All habits'
        for (const { id, from_day } of ended) {
          if (from_day >= today) void write(deletePause, { id, name, at: wireOfNow() })
          else void write(editPause, { id, name, changes: { to_day: addDays(today, -1) }, at: wireOfNow() })
        }
        const [first] = ended
        if (first) offerOfPause('Resumed', first.id, name)
      },

      deletePause({ id }, name) {
        void write(deletePause, { id, name, at: wireOfNow() })
        offerOfPause('Pause deleted', id, name)
      },

      setArchived(habit, archived) {
        moveFocusFromRows((id) => id === habit.id)
        void edit(habit, { archived_at: archived ? wireOfNow() : null })
        if (archived) closeReminderOf(habit)
        offer(archived ? 'Habit archived' : 'Habit taken out of the archive', habit)
      },

      move(habit, to) {
        if (to.length === 0) return
        for (const { id, position } of to)
          void write(changeHabit, { id, name: habit.name, changes: { position }, at: wireOfNow() })
        offer('Habit moved', habit)
      },

      remove(habit) {
        moveFocusFromRows((id) => id === habit.id)
        void write(deleteHabit, { id: habit.id, name: habit.name, at: wireOfNow() })
        closeReminderOf(habit)
        offer('Habit deleted', habit)
      },
    }
  }, [write, offerUndo, onReminderSet, timeZone, dayStart, weekStart, ofDays])
}

/** Sends only the frequency if it fully describes the rhythm and target. */
function sentRhythm(rhythm: Rhythm, target: Target) {
  const frequency = frequencyOf(rhythm, target)
  const isPlain = target === 'yes' && sameRhythm(rhythm, rhythmOfFrequency(frequency))
  return isPlain ? { frequency } : { frequency, rhythm, target }
}
