import { expect, test } from 'vitest'
import { rhythmSchema } from '#features/habits/rhythm/rhythm-schema.ts'
import { rhythmOfRrule } from './rhythm-of-rrule.ts'

test.each([
  ['daily', { every: 1 }],
  ['FREQ=DAILY;INTERVAL=3', { every: 3 }],
  ['RRULE:FREQ=DAILY;BYDAY=MO,TU', { weekdays: [1, 2] }],
  ['weekly', { times: 1, per: 'week' }],
  ['freq=weekly;byday=su,mo', { weekdays: [1, 7] }],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', { every: 1 }],
  ['FREQ=WEEKLY;INTERVAL=2', { times: 1, days: 14 }],
  ['DTSTART:20260101T000000Z\nRRULE:FREQ=MONTHLY', { times: 1, per: 'month' }],
])('%j is kept', (written, rhythm) => {
  const changed: string[] = []
  expect(rhythmOfRrule(written, changed)).toEqual(rhythm)
  expect(changed).toEqual([])
})

test.each([
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', { times: 2, per: 'month' }],
  ['FREQ=MONTHLY;INTERVAL=3', { times: 1, days: 90 }],
  ['yearly', { times: 1, days: 366 }],
  ['FREQ=DAILY;INTERVAL=999', { every: 366 }],
  ['FREQ=WEEKLY;INTERVAL=99;BYDAY=MO', { times: 1, days: 366 }],
])('%j becomes what is nearest, and is told', (written, rhythm) => {
  const changed: string[] = []
  const read = rhythmOfRrule(written, changed)
  expect(read).toEqual(rhythm)
  expect(rhythmSchema.safeParse(read).success).toBe(true)
  expect(changed).toHaveLength(1)
})

test.each(['', 'every blue moon', 'FREQ=HOURLY', 'BYDAY=MO'])('%j is no rhythm', (written) => {
  expect(rhythmOfRrule(written, [])).toBeUndefined()
})
