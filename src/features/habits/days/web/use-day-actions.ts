import { useMemo } from 'react'
import { amountOf, lessOf, stepOf } from '#features/habits/amounts/amounts.ts'
import { type CountedFor, countHabit, historyOf } from '#features/habits/habit/counted-habit.ts'
import {
  type ChosenState,
  enteredDays,
  type HabitFacts,
  type WithHistory,
} from '#features/habits/habit/habit-facts.ts'
import { entriesOn, sessionsOn } from '#features/habits/habit/known-amounts.ts'
import {
  completeHabitDay,
  deleteAmount,
  enterAmount,
  habitCollection,
  setHabitDay,
  uncompletePeriod,
} from '#features/habits/habit/web/habit-queries.ts'
import type { PauseRow } from '#features/habits/pauses/pause.ts'
import { usePauses } from '#features/habits/pauses/web/use-pauses.ts'
import { tickOf } from '#features/habits/rhythm/day-state.ts'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import { periodOn } from '#features/habits/rhythm/periods.ts'
import { isEntered, isWeekly, rhythmOn } from '#features/habits/rhythm/rhythm.ts'
import { amountInWords } from '#features/habits/rhythm/web/target-words.ts'
import { notificationTag } from '#features/reminders/reminder/notification-tag.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { closeNotifications } from '#platform/browser/device/notifications.ts'
import {
  type Day,
  dayFromNumber,
  dayNumber,
  dayOf,
  type Instant,
  instantToWire,
} from '#platform/calendar/day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { type OfferUndo, useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'

/** All days of a habit, if known. They are needed to compute the habit's numbers after an old day was changed. */
type AllDays = HabitDays | undefined

export interface DayActions {
  /** `today` is the day that the screen shows as today. */
  completeToday(habit: HabitFacts, completed: boolean, today: Day): void
  /** Ticks a day, skips it, or resets it. */
  setDay(habit: HabitFacts, day: Day, state: ChosenState, all?: AllDays): void
  /** Adds a step to the amount of a day, or subtracts one. */
  addStep(habit: HabitFacts, day: Day, by: 1 | -1, all?: AllDays): void
  setAmount(habit: HabitFacts, day: Day, amount: number, all?: AllDays): void
  setNote(habit: HabitFacts, day: Day, note: string, before: string): void
}

const none: readonly PauseRow[] = []

/**
 * What a person can do to the days of their habits; each action shows at once. Returns the same object until the calendar or the
 * pauses change.
 */
export function useDayActions(): DayActions {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const calendar = useUserCalendar()
  const pauses = usePauses() ?? none
  return useMemo(
    () => dayActions({ write, offerUndo, calendar, pauses, now: Date.now }),
    [write, offerUndo, calendar, pauses],
  )
}

interface DayActionsParts extends Omit<CountedFor, 'today'> {
  write: QueueWrite
  offerUndo: OfferUndo
  now(): Instant
}

export function dayActions({ write, offerUndo, calendar, pauses, now }: DayActionsParts): DayActions {
  const dayOfNow = () => dayOf(now(), calendar.timeZone, calendar.dayStart)
  const wireOfNow = () => instantToWire(now())
  const count = (habit: HabitFacts, today = dayOfNow()) => countHabit(habit, { today, calendar, pauses })

  const closeReminderFor = (habit: HabitFacts, day: Day) => {
    const today = dayOfNow()
    const first = periodOn(count(habit, today).track, dayNumber(today))?.first ?? dayNumber(today)
    if (dayNumber(day) >= first) closeReminderOf(habit)
  }

  const enter = (habit: HabitFacts, day: Day, entered: { add: number } | { set: number }, all: AllDays) => {
    const { id, name } = habit
    const isSet = 'set' in entered
    const value = isSet ? entered.set : entered.add
    const entries = entriesOn(habit, day)
    const sessions = sessionsOn(habit, day)
    const makes = isSet ? value : (all?.amounts.get(day) ?? amountOf(entries, sessions) ?? 0) + value
    // If this device does not know every entry of the day, `settles` is left out: the set then replaces all earlier adds and
    // sessions that the server knows.
    const areKnown = day >= habit.earlier.from && !entries.some((entry) => entry.id === '')
    const replaced = [...entries.filter((entry) => !entry.set), ...sessions].map(({ id }) => id)
    const entry = {
      id: newRowId(now(), crypto.getRandomValues(new Uint8Array(10))),
      day,
      value,
      set: isSet,
      ...(isSet && areKnown && { settles: replaced }),
    }
    const history = historyWith(habit, day, all, (days) =>
      withAmountOn(days, day, makes, habit.chosen_start.day),
    )
    void write(enterAmount, { id, name, entry, makes, ...history, at: wireOfNow() })
    const { target } = rhythmOn(habit.rhythms, day)
    if (target !== 'yes') announce(`${name}, ${amountInWords(makes, target)}`)
    closeReminderFor(habit, day)
  }

  const setDay: DayActions['setDay'] = (habit, day, state, all) => {
    const { id, name } = habit
    const { target } = rhythmOn(habit.rhythms, day)
    const wasSkipped = habit.skipped.includes(day) || all?.states.get(day) === 'skipped'
    const isSkip = state === 'skipped' || wasSkipped
    const isLimit = target !== 'yes' && target.at === 'most'
    if (target !== 'yes' && state === 'done') {
      const tick = tickOf(count(habit).track, day, dayOfNow())
      if (tick) enter(habit, day, tick, all)
      return
    }
    if (target !== 'yes' && !isLimit && !isSkip) return enter(habit, day, { set: 0 }, all)
    const removesEntries = isLimit && !isSkip
    const history = historyWith(habit, day, all, (days) =>
      removesEntries
        ? withAmountOn(days, day, amountOf([], sessionsOn(habit, day)), habit.chosen_start.day)
        : withStateOn(days, day, state, habit.chosen_start.day),
    )
    const change = { id, name, ...history, at: wireOfNow() }
    if (removesEntries) void write(setHabitDay, { ...change, day, state, isLimit })
    else if (isSkip) void write(setHabitDay, { ...change, day, state, keepsAmount: state === 'none' })
    else void write(completeHabitDay, { ...change, date: day, completed: state === 'done' })
    if (state !== 'none') closeReminderFor(habit, day)
    if (state === 'skipped')
      offerUndo('Day skipped', { row: { list: habitCollection.name, subject: id }, description: name })
  }

  return {
    completeToday(habit, completed, today) {
      // Ticking counts for the day of this moment, even in the second before the screen changes to the new day. Unticking applies
      // to the day on the screen.
      if (completed) return setDay(habit, dayOfNow(), 'done')
      const { rhythm, target } = rhythmOn(habit.rhythms, today)
      if (target !== 'yes') return setDay(habit, today, 'none')
      const { track } = count(habit, today)
      const week = isWeekly(rhythm, target) ? periodOn(track, dayNumber(today)) : undefined
      const [from, to] = week ? [dayFromNumber(week.first), dayFromNumber(week.last)] : [today, today]
      void write(uncompletePeriod, { id: habit.id, name: habit.name, from, to, at: wireOfNow() })
    },

    setDay,

    addStep(habit, day, by, all) {
      const { target } = rhythmOn(habit.rhythms, day)
      if (target === 'yes') return
      const step = stepOf(target)
      if (by === 1) return enter(habit, day, { add: step }, all)
      const entries = entriesOn(habit, day)
      const known = day < habit.earlier.from ? all?.amounts.get(day) : undefined
      const sessions = sessionsOn(habit, day)
      const less = known === undefined ? lessOf(entries, step, sessions) : { set: Math.max(0, known - step) }
      if ('set' in less) return enter(habit, day, less, all)
      const { id, name } = habit
      const rest = amountOf(
        entries.filter((entry) => entry.id !== less.delete),
        sessions,
      )
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
        row: { list: habitCollection.name, subject: id },
        description: name,
        by: { undo: change(before), redo: change(note), part: `note:${day}` },
      })
    },
  }
}

/** Closes the habit's reminder on this device, since nothing is left to do. */
export function closeReminderOf({ id }: HabitFacts) {
  void closeNotifications(notificationTag('habit', id))
}

/**
 * The new sum of all days after a change to a day that is already summed up (before `earlier.from`). Empty if not all days are
 * known.
 */
function historyWith(
  { earlier: { from } }: HabitFacts,
  day: Day,
  all: AllDays,
  change: (days: HabitDays) => HabitDays,
): WithHistory {
  return all && day < from ? { history: historyOf(change(all), from) } : {}
}

function withStateOn(days: HabitDays, day: Day, state: ChosenState, chosen: Day): HabitDays {
  const states = new Map(days.states)
  if (state === 'none') states.delete(day)
  else states.set(day, state)
  return { ...days, states, startDay: startWith({ ...days, states }, day, state === 'done', chosen) }
}

function withAmountOn(days: HabitDays, day: Day, amount: number | null, chosen: Day): HabitDays {
  const amounts = new Map(days.amounts)
  if (amount === null) amounts.delete(day)
  else amounts.set(day, amount)
  return {
    ...days,
    amounts,
    startDay: startWith(
      { ...days, amounts },
      day,
      isEntered(rhythmOn(days.rows, day).target, amount),
      chosen,
    ),
  }
}

/** The start of the habit after a day was entered or taken back. */
function startWith(days: HabitDays, day: Day, isEntered: boolean, chosen: Day): Day {
  const { startDay } = days
  if (isEntered) return earliest([day, startDay])
  if (day !== startDay) return startDay
  return earliest([chosen, ...enteredDays(days).filter((each) => each >= day)])
}

function earliest(days: readonly Day[]): Day {
  return days.reduce((first, day) => (day < first ? day : first))
}
