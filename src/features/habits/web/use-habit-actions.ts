import { useMemo } from 'react'
import { notificationTag } from '#features/reminders/notification-tag.ts'
import type { Reminder } from '#features/reminders/reminder.ts'
import { closeNotifications } from '#platform/browser/notifications.ts'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { addDays, type Day, dayFromNumber, dayNumber, dayOf, instantToWire } from '#platform/calendar/day.ts'
import type { Placed } from '#platform/order/position.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { amountOf, lessOf, stepOf } from '../amounts.ts'
import {
  type ChosenState,
  countHabit,
  type EarlierFacts,
  entriesOn,
  type HabitFacts,
  sumUpBefore,
} from '../counted-habit.ts'
import { tickOf } from '../day-state.ts'
import type { HabitDays } from '../habit-track.ts'
import type { PauseRow } from '../pause.ts'
import { periodOn } from '../periods.ts'
import { isWeekly, type Rhythm, rhythmOn, type Target } from '../rhythm.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  deleteAmount,
  deleteHabit,
  enterAmount,
  type HabitEdit,
  habitList,
  sentRhythm,
  setHabitDay,
  setHabitReminder,
  setHabitRhythm,
  uncompletePeriod,
} from './habit-queries.ts'
import { addPause, deletePause, editPause, type PausedDays, pauseList } from './pause-queries.ts'
import { amountInWords } from './rhythm-words.ts'
import { usePauses } from './use-pauses.ts'

/** What the person entered in the dialog, trimmed. */
export interface HabitFields {
  name: string
  description: string
  rhythm: Rhythm
  target: Target
  reminder: Reminder | null
}

/** Where all days of a habit are known, they say what becomes of its numbers when one of long ago is changed. */
type AllDays = HabitDays | undefined

export interface HabitActions {
  /** Resolves with false if the device could not store it; the person has been told. The same for `change`. */
  add(fields: HabitFields): Promise<boolean>
  change(habit: HabitFacts, changes: Partial<HabitFields>): Promise<boolean>
  /** `today` is the day that the screen shows as today. */
  completeToday(habit: HabitFacts, completed: boolean, today: Day): void
  /** Ticks a day, skips it, or sets it back. */
  setDay(habit: HabitFacts, day: Day, state: ChosenState, all?: AllDays): void
  /** Adds a step, or takes one away. */
  addStep(habit: HabitFacts, day: Day, by: 1 | -1, all?: AllDays): void
  setAmount(habit: HabitFacts, day: Day, amount: number, all?: AllDays): void
  setNote(habit: HabitFacts, day: Day, note: string, before: string): void
  /** Null: all habits. */
  pause(habit: HabitFacts | null, days: PausedDays): void
  /** Ends the pauses that it is in. */
  resume(habit: HabitFacts | null, pauses: readonly PauseRow[]): void
  deletePause(pause: PauseRow, name: string): void
  setArchived(habit: HabitFacts, archived: boolean): void
  /** Gives a row, and another one to part it from, the positions that a move needs. */
  move(habit: HabitFacts, to: readonly Placed[]): void
  remove(habit: HabitFacts): void
}

const none: readonly PauseRow[] = []

/**
 * What a person can do to their habits, each action shown at once. The same object until their calendar or their pauses
 * change. `onReminderSet` is called when they have set a reminder.
 */
export function useHabitActions(onReminderSet: () => void): HabitActions {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const calendar = useUserCalendar()
  const pauses = usePauses() ?? none
  return useMemo(() => {
    const { timeZone, dayStart, weekStart } = calendar
    const dayOfNow = () => dayOf(Date.now(), timeZone, dayStart)
    const wireOfNow = () => instantToWire(Date.now())
    const newId = () => newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const edit = ({ id, name }: HabitFacts, changes: HabitEdit) =>
      write(changeHabit, { id, name: changes.name ?? name, changes, at: wireOfNow() })
    const offer = (title: string, { id, name }: HabitFacts) =>
      offerUndo(title, { row: { list: habitList.name, subject: id }, description: name })
    const count = (habit: HabitFacts) => countHabit(habit, { today: dayOfNow(), calendar, pauses })

    const saveReminder = async (id: string, name: string, reminder: Reminder | null) => {
      const stored = await write(setHabitReminder, { id, name, reminder, at: wireOfNow() })
      if (stored && reminder) onReminderSet()
      return stored
    }

    /** On this device: a reminder still shown would ask for something that is no longer to be done. */
    const closeReminderFor = (habit: HabitFacts, day: Day) => {
      const today = dayOfNow()
      const period = periodOn(count(habit).track, dayNumber(today))
      if (day >= today || (period && dayNumber(day) >= period.first)) closeReminderOf(habit)
    }

    const enter = (habit: HabitFacts, day: Day, entered: { add: number } | { set: number }, all: AllDays) => {
      const { id, name } = habit
      const isSet = 'set' in entered
      const value = isSet ? entered.set : entered.add
      const entries = entriesOn(habit, day)
      const makes = isSet ? value : (all?.amounts.get(day) ?? amountOf(entries) ?? 0) + value
      const areKnown = day >= habit.earlier.from && !entries.some((entry) => entry.id === '')
      const settles = !isSet || !areKnown ? {} : { settles: entries.flatMap((each) => (each.set ? [] : each.id)) }
      const entry = { id: newId(), day, value, set: isSet, ...(isSet ? settles : { settles: [] }) }
      const earlier = earlierWith(habit, day, all, (days) => withAmountOn(days, day, makes))
      void write(enterAmount, { id, name, entry, makes, earlier, at: wireOfNow() })
      const { target } = rhythmOn(habit.rhythms, day)
      if (target !== 'yes') announce(`${name}, ${amountInWords(makes, target)}`)
      closeReminderFor(habit, day)
    }

    const setDay: HabitActions['setDay'] = (habit, day, state, all) => {
      const { id, name } = habit
      const { target } = rhythmOn(habit.rhythms, day)
      const isSkip = state === 'skipped' || habit.skipped.includes(day) || all?.states.get(day) === 'skipped'
      if (target !== 'yes' && state === 'done') {
        const tick = tickOf(count(habit).track, day, dayOfNow())
        if (tick) enter(habit, day, tick, all)
        return
      }
      if (target !== 'yes' && target.at === 'least' && state === 'none' && !isSkip) {
        return enter(habit, day, { set: 0 }, all)
      }
      const isLimit = target !== 'yes' && !isSkip
      const earlier = earlierWith(habit, day, all, (days) =>
        isLimit ? withAmountOn(days, day, null) : withStateOn(days, day, state),
      )
      const change = { id, name, earlier, at: wireOfNow() }
      if (isSkip || isLimit) void write(setHabitDay, { ...change, day, state, ...(isLimit && { isLimit }) })
      else void write(completeHabitDay, { ...change, date: day, completed: state === 'done' })
      if (state !== 'none') closeReminderFor(habit, day)
      if (state === 'skipped') offer('Day skipped', habit)
    }

    return {
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
        // At once, so that both are one change.
        const reminded = reminder && saveReminder(id, fields.name, reminder)
        if (!(await added)) return false
        announce('Habit added')
        await reminded
        return true
      },

      async change(habit, { reminder, rhythm, target, ...changes }) {
        const { id } = habit
        const { name = habit.name } = changes
        const writing: Promise<boolean>[] = []
        if (reminder !== undefined) writing.push(saveReminder(id, name, reminder))
        if (rhythm !== undefined || target !== undefined) {
          // Before the first row there is nothing that a change could count from.
          const first = habit.rhythms.map(({ from_day }) => from_day).sort()[0]
          const today = dayOfNow()
          const from_day = first !== undefined && first > today ? first : today
          const parts = { ...(rhythm && { rhythm }), ...(target && { target }) }
          writing.push(write(setHabitRhythm, { id, name, from_day, ...parts, at: wireOfNow() }))
        }
        if (Object.keys(changes).length > 0) writing.push(edit(habit, changes))
        return (await Promise.all(writing)).every(Boolean)
      },

      completeToday(habit, completed, today) {
        // Completing counts now, even in the second before the screen changes to the new day; undoing applies to what
        // the screen shows.
        if (completed) return setDay(habit, dayOfNow(), 'done')
        const { rhythm, target } = rhythmOn(habit.rhythms, today)
        if (target !== 'yes' || !isWeekly(rhythm, target)) return setDay(habit, today, 'none')
        const { track } = countHabit(habit, { today, calendar, pauses })
        const { first, last } = periodOn(track, dayNumber(today)) ?? { first: dayNumber(today), last: dayNumber(today) }
        const week = { from: dayFromNumber(first), to: dayFromNumber(last) }
        void write(uncompletePeriod, { id: habit.id, name: habit.name, ...week, at: wireOfNow() })
      },

      setDay,

      addStep(habit, day, by, all) {
        const { target } = rhythmOn(habit.rhythms, day)
        if (target === 'yes') return
        const step = stepOf(target)
        if (by === 1) return enter(habit, day, { add: step }, all)
        const entries = entriesOn(habit, day)
        const known = all?.amounts.get(day)
        const less =
          day < habit.earlier.from && known !== undefined
            ? { set: Math.max(0, known - step) }
            : lessOf(entries, step)
        if ('set' in less) return enter(habit, day, less, all)
        const { id, name } = habit
        const rest = amountOf(entries.filter((entry) => entry.id !== less.delete))
        void write(deleteAmount, { id, name, entry: less.delete, day, rest, at: wireOfNow() })
        announce(`${name}, ${amountInWords(rest ?? 0, target)}`)
      },

      setAmount: (habit, day, amount, all) => enter(habit, day, { set: amount }, all),

      setNote(habit, day, note, before) {
        const { id, name } = habit
        const change = (text: string) => (queue: QueueWrite) =>
          void queue(setHabitDay, { id, name, day, note: text, at: wireOfNow() })
        change(note)(write)
        offerUndo('Note changed', {
          row: { list: habitList.name, subject: id },
          description: name,
          by: { undo: change(before), redo: change(note) },
        })
      },

      pause(habit, days) {
        const id = newId()
        const name = habit?.name ?? 'All habits'
        void write(addPause, { id, habit_id: habit?.id ?? null, name, ...days, at: wireOfNow() })
        if (habit && days.from_day <= dayOfNow()) closeReminderOf(habit)
        offerUndo('Paused', { row: { list: pauseList.name, subject: id }, description: name })
      },

      resume(habit, ended) {
        const today = dayOfNow()
        const name = habit?.name ?? 'All habits'
        for (const { id, from_day } of ended) {
          if (from_day >= today) void write(deletePause, { id, name, at: wireOfNow() })
          else void write(editPause, { id, name, changes: { to_day: addDays(today, -1) }, at: wireOfNow() })
        }
        const [first] = ended
        if (first)
          offerUndo('Resumed', { row: { list: pauseList.name, subject: first.id }, description: name })
      },

      deletePause({ id }, name) {
        void write(deletePause, { id, name, at: wireOfNow() })
        offerUndo('Pause deleted', { row: { list: pauseList.name, subject: id }, description: name })
      },

      setArchived(habit, archived) {
        moveFocusFromRows((id) => id === habit.id)
        void edit(habit, { archived_at: archived ? wireOfNow() : null })
        if (archived) closeReminderOf(habit)
        offer(archived ? 'Habit archived' : 'Habit taken out of the archive', habit)
      },

      move(habit, to) {
        if (to.length === 0) return
        for (const { id, position } of to) {
          const name = id === habit.id ? habit.name : ''
          void write(changeHabit, { id, name, changes: { position }, at: wireOfNow() })
        }
        offer('Habit moved', habit)
      },

      remove(habit) {
        moveFocusFromRows((id) => id === habit.id)
        void write(deleteHabit, { id: habit.id, name: habit.name, at: wireOfNow() })
        closeReminderOf(habit)
        offer('Habit deleted', habit)
      },
    }
  }, [write, offerUndo, onReminderSet, calendar, pauses])
}

function closeReminderOf({ id }: HabitFacts) {
  void closeNotifications(notificationTag('habit', id))
}

/** What the days before `earlier.from` add up to with a change of one of them; undefined where that is not known. */
function earlierWith(
  { earlier: { from } }: HabitFacts,
  day: Day,
  all: AllDays,
  change: (days: HabitDays) => HabitDays,
): EarlierFacts | undefined {
  return all && day < from ? sumUpBefore(change(all), from) : undefined
}

function withStateOn(days: HabitDays, day: Day, state: ChosenState): HabitDays {
  const states = new Map(days.states)
  if (state === 'none') states.delete(day)
  else states.set(day, state)
  return { ...days, states, startDay: state === 'done' ? earlierOf(day, days.startDay) : days.startDay }
}

function withAmountOn(days: HabitDays, day: Day, amount: number | null): HabitDays {
  const amounts = new Map(days.amounts)
  if (amount === null) amounts.delete(day)
  else amounts.set(day, amount)
  return { ...days, amounts, startDay: amount === null ? days.startDay : earlierOf(day, days.startDay) }
}

function earlierOf(one: Day, other: Day): Day {
  return one < other ? one : other
}
