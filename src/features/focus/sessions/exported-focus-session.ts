import * as z from 'zod/mini'
import { earliestDayAnywhere, instantFromWire, latestDayAnywhere } from '#platform/calendar/day.ts'
import { type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { hasOneSubject, twoSubjects } from '../subjects/focus-subject.ts'
import { addUp, focusDaysSchema } from './focus-requests.ts'
import { focusRow } from './focus-row.ts'

/** A focus session as exported and imported. The rules for recorded sessions apply here too. */
export const exportedFocusSessionSchema = z.object({ ...fileShape(focusRow), days: focusDaysSchema }).check(
  z.refine(addUp, {
    path: ['days'],
    message: 'Expected the seconds of the days to add up to the duration',
  }),
  z.refine(
    ({ duration, started_at, ended_at }) =>
      started_at === null || instantFromWire(ended_at) - instantFromWire(started_at) >= duration * 1000,
    { path: ['ended_at'], message: "A session can't be shorter than its duration" },
  ),
  z.refine(
    ({ started_at, ended_at, days }) => {
      // The file does not say which time zone and day start decided the days, so accept any day that some zone allows.
      const first = started_at === null ? undefined : earliestDayAnywhere(instantFromWire(started_at))
      const last = latestDayAnywhere(instantFromWire(ended_at))
      return days.every(({ day }) => (first === undefined || day >= first) && day <= last)
    },
    { path: ['days'], message: "One of these days isn't part of the session in any time zone" },
  ),
  z.refine(({ kind, started_at }) => (kind === 'total') === (started_at === null), {
    path: ['started_at'],
    message: 'A session has a start, the total of a day has none',
  }),
  z.refine(({ kind, days }) => kind !== 'total' || days.length === 1, {
    path: ['days'],
    message: 'Expected the day of the total',
  }),
  z.refine(hasOneSubject, twoSubjects),
)
export type ExportedFocusSession = z.infer<typeof exportedFocusSessionSchema>

export const focusInFiles = {
  row: exportedFocusSessionSchema,
  fields: focusRow,
  pieceCollections: {
    focus_sessions: {
      row: exportedFocusSessionSchema,
      one: 'focus session',
      days: ({ days }: ExportedFocusSession) => days.map(({ day }, nth) => [`days.${nth}.day`, day] as const),
      response: importCountsSchema,
      asksFor: 'ids',
    },
  },
  split: (session: ExportedFocusSession) => [['focus_sessions', session]] as const,
  lines: ({ id, days }: ExportedFocusSession) => [
    { what: 'session', title: `Focus on ${days[0]?.day ?? 'a day'}`, id },
  ],
} satisfies FileRows
