import { daySchema } from '#platform/calendar/day.ts'
import type { OpenedFile, Reader, ReaderContext, Reading } from '../reading/reading.ts'

/** Noon on a Wednesday in Berlin. */
export const readerContext: ReaderContext = {
  timeZone: 'Europe/Berlin',
  dayStart: 0,
  weekStart: 1,
  today: daySchema.parse('2026-11-25'),
  now: Date.parse('2026-11-25T11:00:00Z'),
  answers: {},
}

/** The reading of a file. Fails if the reader does not recognise the file. */
export function readingOf(reader: Reader, file: OpenedFile, context: Partial<ReaderContext> = {}): Reading {
  if (!reader.recognises(file)) throw new Error(`${reader.name} does not recognise ${file.name}`)
  const reading = reader.read(file, { ...readerContext, ...context })
  if ('problem' in reading) throw new Error(reading.problem)
  return reading
}
