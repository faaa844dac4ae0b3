import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingOf } from '#features/imports/testing/read.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { ics } from './ics.ts'

const text = readFileSync(new URL('../samples/ics/home.ics', import.meta.url), 'utf8')
const { lists, todos, rows } = readingOf(ics, { kind: 'text', name: 'x.ics', text })
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)

test('a calendar becomes a list, and every component is told once, in its order', () => {
  expect(lists).toMatchObject([{ name: 'Home' }])
  expect(rows.map(({ title }) => title)).toEqual([
    ...['Buy candles', 'Birthday, with cake', 'Bins', 'Bins', 'Bins, early', 'Call', 'Late', 'Learn Greek'],
    ...['Blink', 'Begin', 'Concert', 'Cut sho'],
  ])
  expect(rowOf('Concert')?.refused).toBe('It is an event, and Daymark has tasks only')
  expect(rowOf('Cut sho')?.refused).toBe('The file ends within it')
})

test('a task comes with its texts, categories, priority and alarm', () => {
  expect(named('Birthday, with cake')).toMatchObject({
    due: '2026-11-28',
    priority: 3,
    tags: ['friends', 'home, sweet home', 'fun'],
    note: 'First line\nsecond; a long one that goes on and on so that it is folded',
    reminder: { days_before: 1, time: 18 * 60 },
  })
})

test('a child that stands before its parent is its subtask, done on the day where the person is', () => {
  expect(named('Buy candles')).toMatchObject({
    parent: named('Birthday, with cake')?.key,
    completed: { on: '2026-11-20' },
  })
  expect(rowOf('Begin')?.changed).toEqual([
    'The start date becomes the due date',
    'The task above it is missing, so it stands alone',
  ])
})

test('what became of days of a series comes with it', () => {
  const bins = named('Bins')
  expect(bins?.repeat && repeatWords(bins.repeat)).toBe('every week on Thu')
  expect(bins?.days).toEqual([
    { day: '2026-11-12', state: 'skipped', done_on: '2026-11-12' },
    { day: '2026-11-05', state: 'done', done_on: '2026-11-05' },
  ])
  expect(rowOf('Bins, early')?.changed).toEqual(['This one day of it was changed, which does not come'])
})

test('a time is the day in its zone, and one in UTC the day where the person is', () => {
  expect(named('Call')).toMatchObject({
    due: '2026-11-27',
    priority: 1,
    reminder: { days_before: 0, time: 21 * 60 + 45 },
  })
  expect(rowOf('Call')?.changed).toEqual([
    'Of several alarms the first comes',
    'How much of it is done becomes a note',
  ])
  expect(named('Late')).toMatchObject({ due: '2026-11-28', reminder: { time: 30 }, note: 'Location: Shop' })
})

test('what was given up, and rules that Daymark does not have, come changed', () => {
  expect(named('Learn Greek')).toMatchObject({ tags: ["won't do"], completed: { on: '2026-05-01' } })
  expect(named('Blink')).toMatchObject({ due: '2026-11-27', note: 'Repeat: FREQ=HOURLY' })
  expect(rowOf('Blink')?.changed).toEqual(['The repeat "FREQ=HOURLY" becomes a note'])
})

const calendarOf = (...tasks: readonly string[][]) =>
  [
    'BEGIN:VCALENDAR',
    ...tasks.flatMap((lines) => ['BEGIN:VTODO', ...lines, 'END:VTODO']),
    'END:VCALENDAR',
  ].join('\r\n')

test('a series of whose past days the file says nothing goes on from today, and that is told', () => {
  const daily = ['UID:1', 'SUMMARY:Stretch', 'DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY']
  const read = (text: string) => readingOf(ics, { kind: 'text', name: 'x.ics', text })
  const alone = read(calendarOf([...daily, 'EXDATE;VALUE=DATE:20260102,20261130']))
  expect(alone.todos).toMatchObject([
    { due: '2026-11-25', repeat: { from: '2026-11-25' }, days: [{ day: '2026-11-30' }] },
  ])
  expect(alone.rows[0]?.changed).toEqual([
    'The file does not say what became of its past days: it goes on from 25 November',
  ])
  const described = read(
    calendarOf(daily, ['UID:1', 'SUMMARY:Stretch', 'RECURRENCE-ID;VALUE=DATE:20261120', 'STATUS:COMPLETED']),
  )
  expect(described.todos).toMatchObject([{ due: '2026-01-01', days: [{ day: '2026-11-20', state: 'done' }] }])
})

test('a series counts its weeks and months from its start', () => {
  const tasks = [
    ['UID:1', 'SUMMARY:Quarter', 'DTSTART;VALUE=DATE:20261015', 'RRULE:FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1'],
    ['UID:2', 'SUMMARY:Bins', 'DTSTART;VALUE=DATE:20261125', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
  ]
  const { todos } = readingOf(ics, { kind: 'text', name: 'x.ics', text: calendarOf(...tasks) })
  expect(todos.map(({ due }) => due)).toEqual(['2027-01-01', '2026-12-07'])
})

test('a file that a browser has saved a second time is the same list', () => {
  const keysIn = (name: string) => {
    const { lists, todos } = readingOf(ics, { kind: 'text', name, text: calendarOf(['UID:1', 'SUMMARY:A']) })
    return [...lists, ...todos].map(({ key }) => key)
  }
  expect(keysIn('Home (1).ics')).toEqual(keysIn('Home.ics'))
})

test('several calendars in a zip become a list each', () => {
  const calendar = (name: string) => ({
    path: `cal/${name}.ics`,
    text: `BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:${name}\nEND:VTODO\nEND:VCALENDAR\n`,
  })
  const zip = { kind: 'zip', name: 'x.zip', files: [calendar('A'), calendar('B')], others: [] } as const
  const read = readingOf(ics, zip)
  expect(read.lists.map(({ name }) => name)).toEqual(['A', 'B'])
  expect(new Set(read.todos.map(({ key }) => key)).size).toBe(2)
})

test('what is written in the format is read back', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const someText = fc.string({
    unit: fc.constantFrom('a', 'é', ',', ';', '\\', '\n', ' ', ':', '"', 'n'),
    maxLength: 90,
  })
  const task = fc.record({
    title: someText,
    note: someText,
    tags: fc.array(someText, { maxLength: 3 }),
    due: fc.option(day),
    doneOn: fc.option(day),
    priority: fc.constantFrom(0, 1, 2, 3),
    parent: fc.option(fc.nat({ max: 20 })),
  })
  const escaped = (said: string) => said.replaceAll(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
  const folded = (line: string) => line.replaceAll(/(.{60})(?=.)/g, '$1\r\n ')
  const bare = (day: string) => day.replaceAll('-', '')
  fc.assert(
    fc.property(fc.array(task, { maxLength: 10 }), (tasks) => {
      const parentOf = (place: number) => {
        const parent = tasks[place]?.parent ?? place
        return parent % tasks.length === place ? undefined : parent % tasks.length
      }
      const lines = tasks.flatMap(({ title, note, tags, due, doneOn, priority }, place) => [
        ...['BEGIN:VTODO', `UID:${place}`, `SUMMARY:${escaped(title)}`, `DESCRIPTION:${escaped(note)}`],
        ...(tags.length > 0 ? [`CATEGORIES:${tags.map(escaped).join(',')}`] : []),
        ...(due ? [`DUE;VALUE=DATE:${bare(due)}`] : []),
        ...(doneOn ? ['STATUS:COMPLETED', `COMPLETED:${bare(doneOn)}T120000Z`] : ['STATUS:NEEDS-ACTION']),
        `PRIORITY:${[0, 9, 5, 1][priority]}`,
        ...(parentOf(place) === undefined ? [] : [`RELATED-TO:${parentOf(place)}`]),
        'END:VTODO',
      ])
      const file = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].map(folded).join('\r\n')
      const read = readingOf(ics, { kind: 'text', name: 'x.ics', text: file })
      expect(read.rows).toHaveLength(tasks.length)
      expect(
        read.todos.map(({ title, note, tags, due, completed, priority, parent }) => ({
          title,
          note,
          tags,
          due,
          on: completed?.on,
          priority,
          parent: parent === undefined ? undefined : read.todos.findIndex(({ key }) => key === parent),
        })),
      ).toEqual(
        tasks.map(({ title, note, tags, due, doneOn, priority }, place) => ({
          title: title.trim(),
          note: note.trim(),
          tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
          due: due ?? undefined,
          on: doneOn ?? undefined,
          priority,
          parent: parentOf(place),
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})
