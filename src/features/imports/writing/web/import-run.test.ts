import { describe, expect, test } from 'vitest'
import type { Unreadable } from '#features/imports/opening/read-file.ts'
import type { FatedRow } from '#features/imports/preview/fates.ts'
import { previewLines } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, ReadQuestion } from '#features/imports/reading/reading.ts'
import { daySchema } from '#platform/calendar/day.ts'
import type { FileFacts, Written } from './import-asks.ts'
import { type Halt, ImportRun } from './import-run.ts'
import type { ImportWork } from './import-work.ts'

const context: ReaderContext = {
  timeZone: 'Europe/Berlin',
  dayStart: 0,
  weekStart: 1,
  today: daySchema.parse('2026-11-22'),
  now: Date.parse('2026-11-22T12:00:00Z'),
  answers: {},
}

const fates: FatedRow['fate'][] = ['new', 'new', 'there', 'changed', 'refused']
const rows = fates.map(
  (fate, place): FatedRow => ({
    fate,
    row: { line: place + 1, what: 'task', title: `Task ${place}`, changed: [] },
  }),
)

const lines = previewLines(rows, 0)
const preview = { lines, notes: [], examples: [] }

const factsOf = (questions: ReadQuestion[] = []): FileFacts => ({
  source: 'todoist',
  sourceName: 'Todoist',
  rowCount: rows.length,
  questions,
})

const zoneQuestion = (examples: string[]): ReadQuestion => ({
  id: 'zone',
  ask: 'Where were you?',
  kind: 'zone',
  examples,
})

/** Work that ends when the test says so. */
function workOf(given: Partial<ImportWork> = {}) {
  const work: ImportWork = {
    read: async () => factsOf(),
    compare: async () => preview,
    write: async () => ({ id: 'one', lines }),
    rowsOf: async () => [],
    end() {},
    ...given,
  }
  const unseen: Halt[] = []
  const run = new ImportRun(work, (state) => unseen.push(state))
  return { run, unseen }
}

function held<Result>() {
  let finish: (result: Result) => void = () => {}
  const promise = new Promise<Result>((resolve) => {
    finish = resolve
  })
  return { promise, finish }
}

const file = (name = 'todoist.csv') => new File(['content'], name)

describe('an import', () => {
  test('shows what it would do, and writes nothing until the person says so', async () => {
    let written = 0
    const { run } = workOf({
      async write() {
        written += 1
        return { id: 'one', lines }
      },
    })
    await run.choose(file(), context)
    expect(run.state).toMatchObject({ step: 'preview', file: 'todoist.csv' })
    expect(written).toBe(0)
    await run.write(false)
    expect(run.state).toMatchObject({ step: 'written', id: 'one' })
    expect(written).toBe(1)
    run.close()
    expect(run.state.step).toBe('none')
  })

  test('asks what the file does not say, and shows what each answer makes of it', async () => {
    const answers: unknown[] = []
    const { run } = workOf({
      async read(_, given) {
        answers.push(given.answers)
        return factsOf([zoneQuestion([given.answers.zone ?? 'nowhere'])])
      },
    })
    await run.choose(file(), context)
    expect(run.state).toMatchObject({ step: 'asking', questions: [{ examples: ['nowhere'] }] })
    await run.answer('zone', 'Asia/Tokyo')
    expect(run.state).toMatchObject({ step: 'asking', questions: [{ examples: ['Asia/Tokyo'] }] })
    await run.proceed()
    expect(run.state.step).toBe('preview')
    expect(answers).toEqual([{}, { zone: 'Asia/Tokyo' }])
  })

  test('keeps an answered question on the screen, so that the answer can be taken back', async () => {
    const { run } = workOf({
      async read(_, { answers }) {
        return factsOf('zone' in answers ? [] : [zoneQuestion(['a day'])])
      },
    })
    await run.choose(file(), context)
    await run.answer('zone', 'Asia/Tokyo')
    expect(run.state).toMatchObject({
      step: 'asking',
      questions: [{ id: 'zone' }],
      answers: { zone: 'Asia/Tokyo' },
    })
  })

  test('lets an answer be changed with which the file cannot be read', async () => {
    const { run } = workOf({
      async read(_, { answers }) {
        return answers.zone === 'Nowhere' ? { problem: 'No such zone.' } : factsOf([zoneQuestion([])])
      },
    })
    await run.choose(file(), context)
    await run.answer('zone', 'Nowhere')
    await run.proceed()
    expect(run.state).toMatchObject({ step: 'asking', problem: 'No such zone.' })
    await run.answer('zone', 'Asia/Tokyo')
    await run.proceed()
    expect(run.state.step).toBe('preview')
  })

  test('says why a file cannot be read', async () => {
    const unreadable: Unreadable = { problem: 'This backup is encrypted.', source: 'super-productivity' }
    const one = workOf({ read: async () => unreadable }).run
    await one.choose(file(), context)
    expect(one.state).toEqual({ step: 'refused', file: 'todoist.csv', unreadable })
  })
})

test('a file that could not be compared with the account is compared again without being read again', async () => {
  let isReachable = false
  let reads = 0
  const { run } = workOf({
    async read() {
      reads += 1
      return factsOf()
    },
    compare: async () =>
      isReachable ? preview : { problem: "The server isn't responding. Try again in a moment." },
  })
  await run.choose(file(), context)
  expect(run.state).toMatchObject({
    step: 'failed',
    problem: "The server isn't responding. Try again in a moment.",
  })
  isReachable = true
  await run.tryAgain()
  expect(run.state.step).toBe('preview')
  expect(reads).toBe(1)
})

describe('cancelling', () => {
  test('a reading ends it at once, whatever the worker says afterwards', async () => {
    const reading = held<FileFacts>()
    let signal: AbortSignal | undefined
    const { run } = workOf({
      read(_, __, options) {
        signal = options.signal
        return reading.promise
      },
    })
    const choosing = run.choose(file(), context)
    run.cancel()
    expect(signal?.aborted).toBe(true)
    expect(run.state.step).toBe('none')
    reading.finish(factsOf())
    await choosing
    expect(run.state.step).toBe('none')
  })

  test('a writing ends with what was written until then', async () => {
    const writing = held<Written>()
    const { run } = workOf({ write: () => writing.promise })
    await run.choose(file(), context)
    const done = run.write(false)
    run.cancel()
    run.close()
    expect(run.state.step).toBe('writing')
    writing.finish({
      id: 'one',
      lines: previewLines(rows.slice(0, 1), 0),
      problem: "The server isn't responding. Try again in a moment.",
    })
    await done
    expect(run.state).toMatchObject({ step: 'written', problem: 'You cancelled it.' })
  })

  test('another file takes the place of the one before, whose reading counts no more', async () => {
    const first = held<FileFacts>()
    const { run } = workOf({
      read: async ({ name }) => (name === 'first.csv' ? first.promise : factsOf()),
    })
    const choosing = run.choose(file('first.csv'), context)
    await run.choose(file('second.csv'), context)
    first.finish(factsOf())
    await choosing
    expect(run.state).toMatchObject({ step: 'preview', file: 'second.csv' })
  })
})

describe('whoever is on another page', () => {
  test('is told when the import is ready, and when it is over', async () => {
    const { run, unseen } = workOf()
    await run.choose(file(), context)
    await run.write(false)
    expect(unseen.map(({ step }) => step)).toEqual(['preview', 'written'])
  })

  test('is told nothing that they see', async () => {
    const { run, unseen } = workOf()
    const leave = run.subscribe(() => {})
    await run.choose(file(), context)
    expect(unseen).toEqual([])
    leave()
    await run.write(false)
    expect(unseen.map(({ step }) => step)).toEqual(['written'])
  })
})

test('no other file is read while one is written', async () => {
  const writing = held<Written>()
  const { run } = workOf({ write: () => writing.promise })
  await run.choose(file(), context)
  const done = run.write(true)
  await run.choose(file('second.csv'), context)
  expect(run.state).toMatchObject({ step: 'writing', file: 'todoist.csv' })
  writing.finish({ id: 'one', lines })
  await done
  expect(run.state).toMatchObject({ step: 'written', preferencesToo: true })
})
