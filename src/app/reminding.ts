import type { Logger } from 'pino'
import { confirmedAddress } from '#features/account/mail/server/confirmed-address-store.ts'
import { type PhaseEnd, phaseEndOf } from '#features/focus/timer/phase-end.ts'
import { readFocusTimer } from '#features/focus/timer/server/focus-timer-store.ts'
import { habitToRemindOf, remindersOf } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { calendarsOf, readPreferences } from '#features/preferences/server/preferences-store.ts'
import {
  openReminderScheduler,
  type ReminderScheduler,
  type SchedulerParts,
} from '#features/reminders/delivery/scheduler.ts'
import { startOfDay } from '#features/reminders/reminder/next-reminder.ts'
import { planTodosAgain } from '#features/todos/dates/server/plan-again-store.ts'
import { settleTodoAlarms, todoToRemindOf } from '#features/todos/dates/server/todo-reminder-store.ts'
import { addDays, dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Pusher } from '#platform/push/pusher.ts'

const phaseEndTexts = {
  'focus is over': { title: "Time's up! Great work!", body: 'Take a break!' },
  'break is over': { title: 'The break is over', body: 'Ready to focus?' },
  'still going?': { title: 'Are you still focusing?', body: 'Otherwise the timer stops by itself.' },
} satisfies Record<PhaseEnd, { title: string; body: string }>

export interface ServerOfReminders {
  database: Database
  log: Logger
  clock: () => Instant
  pusher: Pusher
  mail: SchedulerParts['mail']
}

/** Connects the reminder scheduler to the features that have reminders. */
export function remindingOf({ database, log, clock, pusher, mail }: ServerOfReminders): ReminderScheduler {
  return openReminderScheduler({
    database,
    log,
    clock,
    pusher,
    mail,
    mailAddressOf: (user) => confirmedAddress(database, user),
    remindersOf,
    calendarsOf,
    settleTodoAlarms,
    planTodosAgain: (...pace) => planTodosAgain(database, ...pace),
    async subjectOf({ user_id, kind, row_id, day, due_at }) {
      if (kind === 'focus') {
        const standing = await readFocusTimer(database, user_id)
        const end = standing && phaseEndOf(standing.timer, row_id, clock())
        return end && { kind, id: row_id, ...phaseEndTexts[end] }
      }
      const { time_zone, day_start, week_start } = await readPreferences(database, user_id)
      const today = dayOf(clock(), time_zone, day_start)
      if (kind === 'todo' || kind === 'todo-later') {
        const again = kind === 'todo-later'
        const when = { dueAt: due_at, day, zone: time_zone, again }
        const todo = await todoToRemindOf(database, user_id, row_id, when)
        return todo && { kind: 'todo', id: row_id, ...todo, today }
      }
      const about = day ?? dayOf(due_at, time_zone, day_start)
      const dayAt = (instant: Instant) => dayOf(instant, time_zone, day_start)
      const calendar = { weekStart: week_start, dayAt }
      const habit = await habitToRemindOf(database, user_id, row_id, about, calendar)
      if (!habit || habit === 'done') return undefined
      const { hasReminder, ...subject } = habit
      // Send nothing if the habit's reminder was removed meanwhile. A snoozed reminder still comes, since it was requested
      // separately.
      if (kind === 'habit' && !hasReminder) return undefined
      const until = startOfDay(addDays(subject.lastDay, 1), time_zone, day_start)
      return { kind: 'habit', id: row_id, ...subject, day: about, today, until }
    },
  })
}
