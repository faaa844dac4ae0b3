import * as z from 'zod/mini'
import { changeInstantSchema, daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape } from '#platform/wire/synced-row.ts'
import { hasOneSubject, twoSubjects } from '../subjects/focus-subject.ts'
import { durationSchema, focusRow, secondsSchema, sessionKindSchema } from './focus-row.ts'

// The schemas of requests and files. Pages do not need this module.

export const focusDaysSchema = z.array(z.object({ day: daySchema, seconds: secondsSchema })).check(
  z.minLength(1, 'Expected at least one day'),
  z.maxLength(366, 'Expected at most 366 days'),
  z.refine((days) => new Set(days.map(({ day }) => day)).size === days.length, 'Expected each day once'),
)

const { todo_id, habit_id } = editShape(focusRow)

export const newFocusSessionSchema = z
  .object({
    duration: durationSchema,
    id: z.optional(rowIdSchema),
    /** Clients that know no phases (focus, break, counting up) do not send a kind. */
    kind: z.optional(sessionKindSchema),
    todo_id,
    habit_id,
    started_at: z.optional(instantSchema),
    ended_at: z.optional(instantSchema),
    days: z.optional(focusDaysSchema),
    at: z.optional(changeInstantSchema),
  })
  .check(
    z.refine(addUp, {
      path: ['days'],
      message: 'Expected the seconds of the days to add up to the duration',
    }),
    z.refine(hasOneSubject, twoSubjects),
    z.refine(({ kind, days }) => kind !== 'total' || days?.length === 1, {
      path: ['days'],
      message: 'Expected the day of the total',
    }),
    z.refine(({ kind, started_at }) => kind !== 'total' || started_at === undefined, {
      path: ['started_at'],
      message: 'A total has no start',
    }),
  )

/** A change of the time must include the duration. A missing start or end follows from the duration and the stored start. */
export const focusSessionChangeSchema = z
  .object({
    todo_id,
    habit_id,
    duration: z.optional(durationSchema),
    started_at: z.optional(instantSchema),
    ended_at: z.optional(instantSchema),
    days: z.optional(focusDaysSchema),
    at: z.optional(changeInstantSchema),
  })
  .check(
    z.refine(({ at, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
      path: ['duration'],
      message: 'Expected a time or a subject',
    }),
    z.refine(
      ({ duration, started_at, ended_at, days }) =>
        duration !== undefined || (started_at ?? ended_at ?? days) === undefined,
      { path: ['duration'], message: 'A change of the time must include the duration' },
    ),
    z.refine(({ duration, days }) => duration === undefined || addUp({ duration, days }), {
      path: ['days'],
      message: 'Expected the seconds of the days to add up to the duration',
    }),
    z.refine(hasOneSubject, twoSubjects),
  )

/** Whether the seconds of the days, if given, add up to the duration. */
export function addUp({
  duration,
  days,
}: {
  duration: number
  days?: { seconds: number }[] | undefined
}): boolean {
  return days === undefined || days.reduce((sum, { seconds }) => sum + seconds, 0) === duration
}
