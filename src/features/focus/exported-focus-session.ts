import * as z from 'zod/mini'
import {
  earliestDayAnywhere,
  instantFromWire,
  instantTextSchema,
  latestDayAnywhere,
} from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { addUp, durationSchema, focusDaysSchema } from './focus-session.ts'

/** A focus session as it is exported and imported. What holds of a recorded one holds of it. */
export const exportedFocusSessionSchema = z
  .object({
    id: rowIdSchema,
    duration: durationSchema,
    started_at: instantTextSchema,
    ended_at: instantTextSchema,
    days: focusDaysSchema,
  })
  .check(
    z.refine(addUp, {
      path: ['days'],
      message: 'Expected the seconds of the days to add up to the duration',
    }),
    z.refine(
      ({ duration, started_at, ended_at }) =>
        instantFromWire(ended_at) - instantFromWire(started_at) >= duration * 1000,
      { path: ['ended_at'], message: "A session can't be shorter than its duration" },
    ),
    z.refine(
      ({ started_at, ended_at, days }) => {
        // The zone and the day start that the days were decided in are not known, so any on earth will do.
        const first = earliestDayAnywhere(instantFromWire(started_at))
        const last = latestDayAnywhere(instantFromWire(ended_at))
        return days.every(({ day }) => day >= first && day <= last)
      },
      { path: ['days'], message: "One of these days isn't part of the session in any time zone" },
    ),
  )
export type ExportedFocusSession = z.infer<typeof exportedFocusSessionSchema>
