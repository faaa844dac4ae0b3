import { expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { calendarFile } from './calendar-file.ts'
import { exportedAccountSchema } from './exported-account.ts'

const today = '2026-11-20' as Day
const at = '2026-11-18T08:00:00.000Z'
const open = { completed: 0, completed_at: null, completed_on: null, created_at: at, updated_at: at }
const id = (nth: number) => `019a9c1e-5d00-7a3b-9c4d-0123456789a${nth}`

function fileOf(todos: object[], lists: object[] = []): string {
  const exported = exportedAccountSchema.parse({
    format: 'daymark',
    version: 2,
    exported_at: '2026-11-20T12:00:00.000Z',
    account: { name: 'Ida', email: 'ida@example.org' },
    preferences: {
      time_zone: 'Europe/Berlin',
      time_zone_follows_browser: false,
      day_start: 0,
      week_start: 1,
      theme: 'system',
    },
    lists,
    todos,
    habits: [],
    focus_sessions: [],
  })
  return calendarFile(exported, today)
}

/** As a reader sees it: with its lines put together again. */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

test('a task is a VTODO with everything that a calendar has a place for', () => {
  const list = {
    id: id(9),
    name: 'Home, sweet',
    color: 1,
    position: 'a0',
    sort: 'manual',
    archived_at: null,
    created_at: at,
    updated_at: at,
  }
  const task = {
    id: id(1),
    title: 'Water; the plants',
    note: 'In the hall,\ntoo',
    priority: 3,
    tags: ['a b', 'c'],
    list_id: list.id,
    due_day: '2026-11-21',
    reminder: { days_before: 1, time: 1_200 },
    estimate: 15,
  }
  expect(linesOf(fileOf([{ ...open, ...task }], [list]))).toEqual([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daymark//Daymark//EN', 'BEGIN:VTODO', `UID:${id(1)}`],
    ...['DTSTAMP:20261120T120000Z', 'CREATED:20261118T080000Z', 'LAST-MODIFIED:20261118T080000Z'],
    ...['SUMMARY:Water\\; the plants', 'DESCRIPTION:In the hall\\,\\ntoo', 'PRIORITY:1'],
    ...['CATEGORIES:Home\\, sweet,a b,c', 'X-DAYMARK-LIST:Home\\, sweet', 'ESTIMATED-DURATION:PT15M'],
    ...['DUE;VALUE=DATE:20261121', 'STATUS:NEEDS-ACTION'],
    ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Water\\; the plants', 'TRIGGER;RELATED=END:-PT240M'],
    ...['END:VALARM', 'END:VTODO', 'END:VCALENDAR', ''],
  ])
})

test('a done task says when, and a subtask of what', () => {
  const done = { completed: 1, completed_at: '2026-11-19T23:30:00.000Z', completed_on: '2026-11-20' }
  const lines = linesOf(fileOf([{ ...open, ...done, id: id(1), title: 'Stamp', parent_id: id(2) }]))
  expect(lines).toContain(`RELATED-TO:${id(2)}`)
  expect(lines.filter((line) => /^(STATUS|COMPLETED|PERCENT)/.test(line))).toEqual([
    ...['STATUS:COMPLETED', 'COMPLETED:20261119T233000Z', 'PERCENT-COMPLETE:100'],
  ])
})

test('a task that repeats has its rule from its first day, and an entry for what became of a day', () => {
  const repeat = { freq: 'month', every: 1, days: [31], mode: 'due', from: '2026-08-01' }
  const days = [
    { day: '2026-08-31', state: 'done', done_on: '2026-08-31', moved_to: null, at },
    { day: '2026-09-30', state: 'skipped', done_on: '2026-09-30', moved_to: null, at },
    { day: '2026-10-31', state: 'open', done_on: null, moved_to: '2026-11-02', at },
  ]
  const lines = linesOf(fileOf([{ ...open, id: id(1), title: 'Rent', due_day: '2026-08-01', repeat, days }]))
  expect(lines.filter((line) => /^(DTSTART|DUE|RRULE|RECURRENCE|STATUS)/.test(line))).toEqual([
    ...['DTSTART;VALUE=DATE:20260831', 'DUE;VALUE=DATE:20260831'],
    ...['RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD', 'STATUS:NEEDS-ACTION'],
    ...['RECURRENCE-ID;VALUE=DATE:20260831', 'DTSTART;VALUE=DATE:20260831', 'DUE;VALUE=DATE:20260831'],
    ...['STATUS:COMPLETED', 'RECURRENCE-ID;VALUE=DATE:20260930', 'DTSTART;VALUE=DATE:20260930'],
    ...['DUE;VALUE=DATE:20260930', 'STATUS:CANCELLED', 'RECURRENCE-ID;VALUE=DATE:20261031'],
    ...['DTSTART;VALUE=DATE:20261102', 'DUE;VALUE=DATE:20261102', 'STATUS:NEEDS-ACTION'],
  ])
})

test('a repeat that counts from the day it was done is told in words, since no calendar has a rule for it', () => {
  const repeat = { freq: 'day', every: 3, mode: 'done', from: '2026-11-10' }
  const lines = linesOf(fileOf([{ ...open, id: id(1), title: 'Water', due_day: '2026-11-10', repeat }]))
  expect(lines.filter((line) => /^(DUE|RRULE|COMMENT)/.test(line))).toEqual([
    'DUE;VALUE=DATE:20261110',
    'COMMENT:Repeats 3 days after it is done',
  ])
})

test('no line is longer than 75 octets, and no character is cut in two', () => {
  const title = 'Straße nach 東京 '.repeat(20).trim()
  const file = fileOf([{ ...open, id: id(1), title, note: `${'x'.repeat(300)}\u0007` }])
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file).not.toContain('�')
  expect(linesOf(file)).toContain(`SUMMARY:${title}`)
  expect(linesOf(file)).toContain(`DESCRIPTION:${'x'.repeat(300)}`)
})
