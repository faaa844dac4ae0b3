import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { temporaryFolder } from '../testing/sqlite-file.ts'
import { createSharedCommit } from './shared-commit.ts'

interface Saying {
  fails?: boolean
  pauses?: number
  /** Milliseconds. */
  takes?: number
  user?: string | undefined
}

/** A file with one table, written through shared commits, and a reader on a separate connection. */
function openShared() {
  const path = join(temporaryFolder(), 'shared.db')
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table said (word text)')
  const reader = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => {
    reader.close()
    database.close()
  })
  const committed = () =>
    reader
      .prepare('select word from said order by rowid')
      .all()
      .map(({ word }) => String(word))
  const disk = { waits: 0, lost: false, refuses: (_statement: string) => false }
  const time = { now: 0, ofOne: 0 }
  const shared = createSharedCommit({
    database: {
      exec(statement) {
        if (disk.refuses(statement)) throw new Error('disk I/O error')
        if (statement === 'commit') disk.waits += 1
        database.exec(statement)
      },
      get isTransaction() {
        return database.isTransaction
      },
    },
    takeTurn: (work) => work(),
    async begin() {
      if (disk.refuses('begin immediate')) throw new Error('disk I/O error')
      database.exec('begin immediate')
    },
    ensureKept() {
      if (disk.lost) throw new Error('the file was replaced')
    },
    clock: () => time.now,
  })
  const insert = database.prepare('insert into said values (?)')

  /** Writes words one after another, with a pause between; throws before the last if it is to fail. */
  function say(
    words: readonly string[],
    { fails = false, pauses = 0, takes = time.ofOne, user }: Saying = {},
  ): Promise<string> {
    return shared.write(async () => {
      time.now += takes
      database.exec('savepoint part')
      try {
        for (const [place, word] of words.entries()) {
          if (fails && place === words.length - 1) throw new Error('given up')
          insert.run(word)
          for (let pause = 0; pause < pauses; pause += 1) await setImmediate()
        }
        database.exec('release part')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback to part; release part')
        throw error
      }
      return words.join(' ')
    }, user)
  }
  return { database, disk, time, shared, committed, say }
}

test('writes requested at once wait for the disk once', async () => {
  const { say, committed, disk } = openShared()
  const words = Array.from({ length: 50 }, (_, number) => `word ${number}`)
  expect(await Promise.all(words.map((word) => say([word])))).toEqual(words)
  expect(committed()).toEqual(words)
  expect(disk.waits).toBe(1)
})

test('a commit holds a hundred writes at most, and none of the others waits forever', async () => {
  const { say, committed, disk } = openShared()
  const words = Array.from({ length: 250 }, (_, number) => `word ${number}`)
  await Promise.all(words.map((word) => say([word])))
  expect(committed()).toEqual(words)
  expect(disk.waits).toBeGreaterThanOrEqual(3)
})

test('slow writes are not gathered into one commit that the first would have to wait for', async () => {
  const { say, committed, disk, time } = openShared()
  time.ofOne = 2
  const words = Array.from({ length: 9 }, (_, number) => `word ${number}`)
  await Promise.all(words.map((word) => say([word])))
  expect(committed()).toEqual(words)
  // The third exceeds the five milliseconds, so it is the last of its commit.
  expect(disk.waits).toBe(3)
})

test('users take turns, whoever comes later too, and the writes of one user stay in order', async () => {
  const { say, committed, time } = openShared()
  time.ofOne = 10
  const said = (user: string, count: number) =>
    Array.from({ length: count }, (_, number) => say([`${user} ${number + 1}`], { user }))
  const ofEve = said('eve', 6)
  await ofEve[2]
  await Promise.all([...ofEve, ...said('ada', 3)])
  const words = ['eve 1', 'eve 2', 'eve 3', 'ada 1', 'eve 4', 'ada 2', 'eve 5', 'ada 3', 'eve 6']
  expect(committed()).toEqual(words)
})

test('a write of nobody waits for one of each user, and for those of nobody that came before it', async () => {
  const { say, committed, time } = openShared()
  time.ofOne = 10
  const ofEve = ['one', 'two', 'three'].map((word) => say([word], { user: 'eve' }))
  const ofNobody = ['first', 'second'].map((word) => say([word], { user: undefined }))
  await Promise.all([...ofEve, ...ofNobody])
  expect(committed()).toEqual(['one', 'first', 'second', 'two', 'three'])
})

test('if the disk refuses the commit, no write is reported as done, and later ones succeed', async () => {
  const { disk, say, committed } = openShared()
  disk.refuses = (statement) => statement === 'commit'
  const outcomes = await Promise.allSettled([say(['one']), say(['two']), say(['three'])])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  disk.refuses = () => false
  expect(await say(['four'])).toBe('four')
  expect(committed()).toEqual(['four'])
})

test('if no transaction can begin, those waiting get the error', async () => {
  const { disk, say, committed } = openShared()
  disk.refuses = () => true
  const outcomes = await Promise.allSettled([say(['one']), say(['two'])])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  disk.refuses = () => false
  await say(['three'])
  expect(committed()).toEqual(['three'])
})

test('a full disk undoes what was not committed, and its writers get the error', async () => {
  const { database, say, committed } = openShared()
  await say(['first'])
  database.exec('pragma max_page_count = 4')
  const outcomes = await Promise.allSettled([say(['small']), say(['x'.repeat(100_000)]), say(['after'])])
  const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(outcomes[1]?.status).toBe('rejected')
  expect(committed()).toEqual(['first', ...kept])
})

const write = fc.record({
  words: fc.integer({ min: 1, max: 4 }),
  fails: fc.boolean(),
  pauses: fc.integer({ min: 0, max: 2 }),
  /** Turns of the event loop before the write is requested. */
  later: fc.integer({ min: 0, max: 6 }),
  user: fc.constantFrom('ada', 'eve'),
  /** Of long ones, few share a commit. */
  takes: fc.integer({ min: 0, max: 6 }),
})

test('however writes arrive, pause and fail: what was acknowledged is committed whole, in the order of each user, and nothing else is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      async (writes, refusals) => {
        const { disk, shared, committed, say } = openShared()
        const refuse = [...refusals]
        disk.refuses = (statement) => statement === 'commit' && refuse.shift() === true
        const requested: number[] = []
        const answered = new Set<number>()
        await Promise.allSettled(
          writes.map(async ({ words, later, ...how }, number) => {
            for (let turn = 0; turn < later; turn += 1) await setImmediate()
            requested.push(number)
            const own = wordsOf(number, words)
            await say(own, how)
            // A second connection sees it at the moment it is acknowledged.
            expect(committed()).toEqual(expect.arrayContaining(own))
            answered.add(number)
          }),
        )
        await shared.finished()
        const all = committed()
        for (const user of ['ada', 'eve']) {
          const expected = requested
            .filter((number) => writes[number]?.user === user && answered.has(number))
            .flatMap((number) => wordsOf(number, writes[number]?.words ?? 0))
          expect(all.filter((word) => writes[Number(word.split('.')[0])]?.user === user)).toEqual(expected)
        }
        for (const [number, { fails }] of writes.entries()) if (fails) expect(answered).not.toContain(number)
        if (!refusals.includes(true)) expect(answered.size).toBe(writes.filter(({ fails }) => !fails).length)
      },
    ),
    { numRuns: runs(2_000, 60) },
  )
})

function wordsOf(write: number, count: number): string[] {
  return Array.from({ length: count }, (_, place) => `${write}.${place}`)
}
