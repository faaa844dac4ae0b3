import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import type { Reading } from '../reading/reading.ts'
import { sampleFile, textFile, wholeReadingOf } from '../testing/read-sample.ts'
import { toggl } from './toggl.ts'

const header =
  'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags'
const rowOf = (read: Reading, title: string) => read.rows.find((row) => row.title === title)

describe('the detailed report', () => {
  const read = wholeReadingOf(toggl, sampleFile('toggl/detailed.csv'))

  test('is a session for each row, by the clock of the person', () => {
    expect(read.sessions[0]).toMatchObject({
      kind: 'hand',
      start: Date.parse('2026-11-20T08:00:00Z'),
      end: Date.parse('2026-11-20T09:30:00Z'),
      duration: 5_400,
      days: [{ day: '2026-11-20', seconds: 5_400 }],
    })
    expect(read.notes[0]).toBe('The file names no time zone, so its times are read as in Europe/Berlin.')
  })

  test('has each row of the file once', () => {
    expect(read.rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('splits a session at midnight', () => {
    expect(read.sessions[2]?.days).toEqual([
      { day: '2026-11-20', seconds: 1_800 },
      { day: '2026-11-21', seconds: 1_800 },
    ])
  })

  test('believes the duration on the night when the clocks go back', () => {
    expect(read.sessions[3]).toMatchObject({
      duration: 10_800,
      end: Date.parse('2026-10-24T23:30:00Z') + 10_800_000,
    })
  })

  test('says what does not come, and why', () => {
    expect(rowOf(read, 'Without a description')?.refused).toBe('It took no time')
    expect(rowOf(read, 'Running')?.refused).toBe('It is still running')
    expect(rowOf(read, 'Broken')?.refused).toBe('“2026-13-20 09:00:00” is no time')
    expect(rowOf(read, 'Review')?.refused).toBe('This is the time of “Jan Toft”')
    expect(rowOf(read, 'Forgotten')?.changed).toContain(
      'It took more than 24 hours, of which the first 24 come',
    )
    expect(rowOf(read, 'Reading')?.changed).toEqual(['What it was spent on stays behind: “Reading”'])
    expect(read.notes[1]).toBe('The columns "Billable", "Tags", "Amount (EUR)" aren\'t read.')
  })

  test('asks whose time it is where it has that of several people', () => {
    expect(read.questions.find(({ id }) => id === 'person')).toMatchObject({
      assumed: 'Mira Holt',
      options: ['Mira Holt', 'Jan Toft'],
    })
    const theirs = wholeReadingOf(toggl, sampleFile('toggl/detailed.csv'), {
      answers: { person: 'Jan Toft' },
    })
    expect(theirs.sessions).toHaveLength(1)
  })

  test('makes a done task of each description, in a list of its project, if the person wants that', () => {
    const { todos, lists, sessions } = wholeReadingOf(toggl, sampleFile('toggl/detailed.csv'), {
      answers: { subject: 'Description' },
    })
    expect(lists.map(({ name, fromName }) => [name, fromName])).toEqual([
      ['Acme / Website', true],
      ['Garden', true],
    ])
    expect(todos.map(({ title }) => title)).toEqual([
      'Home page, first "draft"',
      'Reading',
      'Digging',
      'Forgotten',
    ])
    expect(todos[0]?.completed).toEqual({ at: Date.parse('2026-11-20T10:15:30Z'), on: '2026-11-20' })
    expect(sessions.filter(({ todo }) => todo === todos[0]?.key)).toHaveLength(2)
  })

  test('makes an open task of each project, if the person wants that', () => {
    const { todos } = wholeReadingOf(toggl, sampleFile('toggl/detailed.csv'), {
      answers: { subject: 'Project' },
    })
    expect(todos.map(({ title, completed }) => [title, completed])).toEqual([
      ['Acme / Website', undefined],
      ['Garden', undefined],
    ])
  })
})

test('asks which comes first where all dates could mean two days, and reads none until it is told', () => {
  const text = `${header}\n,,,,,Read,,03/04/2026,09:00:00,03/04/2026,10:00:00,01:00:00,\n`
  const asked = wholeReadingOf(toggl, textFile(text))
  expect(asked.questions[0]).toMatchObject({ id: 'order', options: ['Day first', 'Month first'] })
  expect(asked.sessions).toEqual([])
  const told = wholeReadingOf(toggl, textFile(text), { answers: { order: 'Month first' } })
  expect(told.sessions[0]?.days).toEqual([{ day: '2026-03-04', seconds: 3_600 }])
})

test('one date that can only mean one day tells how the others are meant, and clocks may have halves', () => {
  const { sessions } = wholeReadingOf(
    toggl,
    textFile(
      `${header}\n,,,,,a,,03/04/2026,9:00 AM,03/04/2026,1:00 PM,4:00:00,\n,,,,,b,,04/13/2026,12:05 AM,04/13/2026,12:10 AM,0:05:00,`,
    ),
  )
  expect(sessions.map(({ days, duration }) => [days[0]?.day, duration])).toEqual([
    ['2026-03-04', 14_400],
    ['2026-04-13', 300],
  ])
})

test('whatever is written as a report is read back', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'B', '"', ',', 'é', ';', '-'),
    minLength: 1,
    maxLength: 8,
  })
  const entry = fc.record({
    project: fc.option(word, { nil: '' }),
    description: word,
    start: fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2026, 10) / 1000 }),
    duration: fc.integer({ min: 1, max: 86_400 }),
  })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const two = (number: number) => String(number).padStart(2, '0')
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const wall = (seconds: number) => new Date(seconds * 1000).toISOString()
      const rows = entries.map(({ project, description, start, duration }) => {
        const [from, to] = [wall(start), wall(start + duration)]
        const long = `${two(Math.floor(duration / 3600))}:${two(Math.floor(duration / 60) % 60)}:${two(duration % 60)}`
        const times = [from.slice(0, 10), from.slice(11, 19), to.slice(0, 10), to.slice(11, 19), long]
        return ['', '', '', project, '', description, 'No', ...times, ''].map(quoted).join()
      })
      const read = wholeReadingOf(toggl, textFile([header, ...rows].join('\r\n')), {
        timeZone: 'UTC',
        answers: { subject: 'Description' },
      })
      const titles = new Map(read.todos.map(({ key, title }) => [key, title]))
      expect(
        read.sessions.map(({ start, duration, todo }) => ({
          start,
          duration,
          title: titles.get(todo ?? ''),
        })),
      ).toEqual(
        entries.map(({ start, duration, description }) => ({
          start: start * 1000,
          duration,
          title: description.trim(),
        })),
      )
      expect(read.rows.every(({ changed, refused }) => changed.length === 0 && !refused)).toBe(true)
    }),
    { numRuns: runs(2_000, 100) },
  )
})

test('the same file again has the same keys', () => {
  const keys = () => wholeReadingOf(toggl, sampleFile('toggl/detailed.csv')).sessions.map(({ key }) => key)
  expect(keys()).toEqual(keys())
  expect(new Set(keys()).size).toBe(keys().length)
})

test.each(['title,due\na,b', '{"a":1}', 'User,Start date\nx,y', ''])('%j is not one', (text) => {
  expect(toggl.recognises(textFile(text))).toBe(false)
})
