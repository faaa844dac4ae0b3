import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenedFile } from '#features/imports/reading/reading.ts'
import { readerContext, readingOf } from '#features/imports/testing/read.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { superProductivity } from './super-productivity.ts'

const text = readFileSync(new URL('../samples/super-productivity/backup.json', import.meta.url), 'utf8')
const file = (content: string): OpenedFile => ({ kind: 'text', name: 'backup.json', text: content })
const { lists, todos, habits, sessions, rows, notes } = readingOf(superProductivity, file(text))
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)

test('projects become lists, and a task comes with its tags, estimate, note and subtasks', () => {
  expect(lists).toMatchObject([
    { name: 'Home', archived: false },
    { name: 'Old job', archived: true },
  ])
  expect(named('Move')).toMatchObject({
    due: '2026-11-28',
    tags: ['urgent'],
    estimate: 120,
    list: lists[0]?.key,
    note: 'Ask **Ann**\n\nPlan: https://files.example/plan',
  })
  expect(named('Find boxes')).toMatchObject({ parent: named('Move')?.key, completed: { on: '2025-11-20' } })
  expect(rowOf('Find boxes')?.changed).toEqual(['The issue that it belongs to becomes a note'])
})

test('the time spent becomes focus of each day, once where subtasks have spent it', () => {
  expect(
    sessions.map(({ kind, days, todo }) => [kind, days, todos.find(({ key }) => key === todo)?.title]),
  ).toEqual([
    ['total', [{ day: '2026-11-20', seconds: 5_400 }], 'Find boxes'],
    ['total', [{ day: '2026-05-04', seconds: 1_800 }], 'Tax'],
  ])
  expect(rowOf('Find boxes, 2026-11-21')?.refused).toBe('It is no time, or longer than a day')
})

test('what is archived is done, on its day or on the last on which somebody worked on it', () => {
  expect(named('Tax')).toMatchObject({ completed: { on: '2026-05-04' }, list: lists[1]?.key })
  expect(rowOf('Tax')?.changed).toEqual(['The file does not say when it was done'])
})

test('what repeats is the open task that it has made, or else a task of its own', () => {
  const [open, done] = todos.filter(({ title }) => title === 'Bins')
  expect(open?.repeat && repeatWords(open.repeat)).toBe('every week on Thu')
  expect(open?.due).toBe('2026-11-26')
  expect(done).toMatchObject({ completed: { on: '2025-06-15' } })
  expect(done?.repeat).toBeUndefined()
  const report = named('Report')
  expect(report).toMatchObject({ due: '2026-12-15', reminder: { days_before: 0, time: 570 }, estimate: 60 })
  expect(report?.repeat && repeatWords(report.repeat)).toBe('every month on the 15th')
  expect(rowOf('Run')?.refused).toBe('This repeat is paused')
})

test('what repeats comes back after the day for which it is done', () => {
  const repeating = (config: object, task: object) =>
    readingOf(
      superProductivity,
      file(
        JSON.stringify({
          project: { ids: [], entities: {} },
          task: {
            ids: ['t'],
            entities: { t: { title: 'Stretch', repeatCfgId: 'r', isDone: true, ...task } },
          },
          taskRepeatCfg: {
            ids: ['r'],
            entities: { r: { title: 'Stretch', repeatEvery: 1, startDate: '2026-11-01', ...config } },
          },
        }),
      ),
    ).todos.find(({ repeat }) => repeat)?.due
  const daily = { repeatCycle: 'DAILY' }
  expect(repeating(daily, { dueDay: '2026-11-25' })).toBe('2026-11-26')
  expect(repeating(daily, { created: Date.parse('2026-11-25T07:00:00Z') })).toBe('2026-11-26')
  expect(repeating(daily, { dueDay: '2026-11-24' })).toBe('2026-11-25')
  const afterDone = { ...daily, repeatEvery: 7, repeatFromCompletionDate: true }
  const doneOn = Date.parse('2026-11-23T12:00:00Z')
  expect(repeating(afterDone, { dueDay: '2026-11-20', doneOn })).toBe('2026-11-30')
})

test('a time comes as a reminder', () => {
  expect(named('Dentist')).toMatchObject({ due: '2025-12-01', reminder: { days_before: 0, time: 9 * 60 } })
})

test('counters become habits with their amounts', () => {
  expect(habits).toMatchObject([
    {
      name: 'Water',
      archived: false,
      amounts: [{ day: '2026-11-20', value: 3_000 }],
      rhythms: [
        { rhythm: { weekdays: [1, 2, 3, 4, 5] }, target: { at: 'least', amount: 2_000, unit: 'times' } },
      ],
    },
    { name: 'Standing', archived: true, amounts: [{ day: '2026-11-20', value: 15_000 }] },
  ])
  expect(rowOf('Water, 2026-11-21')).toBeUndefined()
  expect(notes).toEqual(['Not counted as rows: 1 day on which nothing was done.'])
  expect(rowOf('A thought')?.refused).toBe('Daymark has no notes of a list')
})

test('a counter without a goal gets one of once a day, which is told', () => {
  const { habits, rows } = readingOf(
    superProductivity,
    file(
      JSON.stringify({
        project: { ids: [], entities: {} },
        task: { ids: [], entities: {} },
        simpleCounter: { ids: ['c'], entities: { c: { title: 'Coffee', type: 'ClickCounter' } } },
      }),
    ),
  )
  expect(habits[0]?.rhythms[0]?.target).toEqual({ at: 'least', amount: 1_000, unit: '×', per: 'day' })
  expect(rows).toMatchObject([{ title: 'Coffee', changed: ['It becomes a daily goal of once'] }])
  expect(rowOf('Water')?.changed).toEqual([])
  expect(rowOf('Standing')?.changed).toEqual(['It becomes a daily goal of 1 minute'])
})

test('an old backup, without a frame, is read too', () => {
  const { data } = JSON.parse(text)
  const { archiveYoung, archiveOld, ...rest } = data
  const old = { ...rest, taskArchive: archiveYoung.task }
  expect(readingOf(superProductivity, file(JSON.stringify(old))).todos).toHaveLength(todos.length - 1)
  expect(archiveOld.task.ids).toHaveLength(1)
})

test('an encrypted file is said to be one', () => {
  const sealed = file('pf_CE4.4__abc')
  expect(superProductivity.recognises(sealed)).toBe(true)
  expect(superProductivity.read(sealed, readerContext)).toEqual({
    problem: expect.stringContaining('encrypted or compressed'),
  })
})

test('what is written in the format is read back', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const task = fc.record({
    title: fc.string(),
    notes: fc.stringMatching(/^[a-z &]{0,9}$/),
    due: fc.option(day),
    doneOn: fc.option(day),
    estimate: fc.integer({ min: 0, max: 500 }),
    spent: fc.uniqueArray(fc.tuple(day, fc.integer({ min: 1, max: 86_400 })), {
      maxLength: 3,
      selector: ([at]) => at,
    }),
    isArchived: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(task, { maxLength: 8 }), (tasks) => {
      const written = tasks.map((each, place) => ({ each, id: `t${place}` }))
      const state = (isArchived: boolean) => {
        const some = written.filter(({ each }) => each.isArchived === isArchived)
        return {
          ids: some.map(({ id }) => id),
          entities: Object.fromEntries(
            some.map(({ id, each: { title, notes, due, doneOn, estimate, spent } }) => [
              id,
              {
                id,
                title,
                notes,
                projectId: 'P',
                subTaskIds: [],
                tagIds: [],
                isDone: doneOn !== null,
                timeEstimate: estimate * 60_000,
                ...(due && { dueDay: due }),
                ...(doneOn && { doneOn: Date.parse(`${doneOn}T21:00:00Z`) }),
                timeSpentOnDay: Object.fromEntries(spent.map(([at, seconds]) => [at, seconds * 1_000])),
              },
            ]),
          ),
        }
      }
      const read = readingOf(
        superProductivity,
        file(
          JSON.stringify({
            data: {
              task: state(false),
              archiveYoung: { task: state(true) },
              project: { ids: ['P'], entities: { P: { id: 'P', title: 'One' } } },
            },
          }),
        ),
      )
      const inOrder = [
        ...tasks.filter(({ isArchived }) => !isArchived),
        ...tasks.filter(({ isArchived }) => isArchived),
      ]
      expect(read.rows).toHaveLength(1 + tasks.reduce((sum, { spent }) => sum + 1 + spent.length, 0))
      expect(
        read.todos.map(({ key, title, note, due, completed, estimate = 0 }) => ({
          title,
          note,
          due,
          on: completed?.on,
          estimate,
          spent: read.sessions.filter(({ todo }) => todo === key).flatMap(({ days }) => days),
        })),
      ).toEqual(
        inOrder.map(({ title, notes, due, doneOn, estimate, spent }) => ({
          title: title.trim(),
          note: notes.trim(),
          due: due ?? undefined,
          on: doneOn ?? undefined,
          estimate,
          spent: spent.map(([at, seconds]) => ({ day: at, seconds })),
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})
