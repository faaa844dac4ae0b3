import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { createOverlay } from '#platform/sync/collections/overlay.ts'
import { describeWrite, type Write } from '#platform/sync/collections/write.ts'
import { type NewQueuedWrite, newQueuedWrite } from '#platform/sync/local-store/queued-write.ts'
import { ChangeHistory } from '#platform/sync/undo/change-history.ts'
import { planUndo } from '#platform/sync/undo/plan-undo.ts'
import { editedNames } from '#platform/wire/synced-row.ts'
import { undoneKinds } from '../shell/undo/undone-kinds.ts'
import { openApplication } from '../testing/application.ts'
import { changedCollections, declaredFields, everyWrite } from '../testing/collections.ts'
import { fillAccount } from '../testing/full-account.ts'
import { noon } from '../testing/random-account.ts'

/** Some of these any field can have. */
const values = [
  ...[null, 0, 1, 2, 5, 600, true, false, 'a1', 'manual', 'newest', 'light', 'todos'],
  ...['2026-11-02', '2026-11-21T08:00:00.000Z', { days_before: 2, time: 60 }, { time: 60, weekdays: [2] }],
  ...[{ freq: 'week', every: 2, mode: 'due', from: '2026-11-02' }],
]

test('Undo puts back each field that an edit changes, and says which', async () => {
  const database = await openDatabase(`sqlite:${newPath()}`)
  onTestFinished(() => database.close())
  const daymark = openApplication(database, { clock: () => noon })
  const { cookie } = await daymark.signUp('Ada')
  const ask = async (method: string, path: string, body?: unknown) =>
    (await daymark.ask(method, path, { cookie, body })).body
  await fillAccount(ask, noon)

  const undone: string[] = []
  for (const collection of changedCollections) {
    const response = await ask('GET', collection.readPath ?? collection.path)
    const rows = collection.rows(response)
    const fields = declaredFields.find((each) =>
      Object.entries(each).every(([name, { visibility }]) => visibility || name in Object(rows[0])),
    )
    // Preferences are no rows: each is a part.
    expect(fields !== undefined || collection.name === 'preferences', collection.name).toBe(true)
    for (const name of fields ? editedNames(fields) : []) {
      const possible = values.filter((value) => fields?.[name]?.wire.safeParse(value).success)
      const edits = rows.flatMap((row) => possible.map((value) => ({ id: idOf(row), name, value })))
      const titles = await Array.fromAsync(edits, (edit) => titleOnceBack(collection, response, edit))
      const words = titles.filter((title) => title !== undefined)
      expect(words, `${collection.name}: ${name}`).not.toEqual([])
      undone.push(`${collection.name}.${name}: ${words[0]}`)
    }
  }
  expect(undone).toEqual(
    expect.arrayContaining([
      ...['todos.estimate: Estimate changed', 'todos.title: Task renamed', 'lists.color: Colour changed'],
      ...['habits.start_date: Start changed', 'pauses.to_day: Last day changed'],
      ...['focus-sessions.habit_id: Subject changed', 'focus-sessions.duration: Time changed'],
    ]),
  )
})

interface Edit {
  id: unknown
  name: string
  value: unknown
}

/** What such an edit is called, if undoing it makes the row what it was. */
async function titleOnceBack<Row>(
  collection: Collection<Row>,
  response: unknown,
  edit: Edit,
): Promise<string | undefined> {
  const write: Write<Row, Edit & { at: string }> = {
    name: 'planted',
    version: 1,
    collection,
    refusal: '',
    text: () => '',
    apply: (rows, edit) => rows.map((row) => (idOf(row) === edit.id ? edited(row, edit) : row)),
    request: () => ({ method: 'PUT', path: '' }),
    subject: ({ id }) => String(id),
  }
  const writes = new Map([...everyWrite, write].map((each) => [each.name, each] as const))
  const describe = <R, V>(of: Write<R, V>, vars: V) =>
    describeWrite(of, vars, { ahead: 0, guess: { ahead: 0, since: 0, page: '' }, after: undefined })
  const vars = { ...edit, at: '2026-11-20T11:00:00.000Z' }
  const made = newQueuedWrite('ada', describe(write, vars))
  const base = collection.rows(response)
  const changes = new ChangeHistory()
  changes.record({ write, vars, base, queued: [], made }, Promise.resolve(true))
  const change = changes.next('undo')
  if (!change) return undefined

  const queued = [made]
  const rows = {
    account: 'ada',
    writes,
    changes,
    outbox: { stored: [] },
    describe,
    rowsOf: <R>(of: Collection<R>) =>
      of.name === collection.name ? createOverlay(of, writes)(of.rows(response), queued) : [],
    queueMade: (write: NewQueuedWrite) => {
      queued.push(write)
      return Promise.resolve(true)
    },
  }
  const moment = { now: noon, timeZone: 'UTC', dayStart: 0 }
  const plan = planUndo(rows, Object.values(undoneKinds), { change, direction: 'undo', moment })
  await plan.run()
  const [before, planted, after] = [base, write.apply(base, vars), rows.rowsOf(collection)].map((each) => {
    // When it was changed is no part of it, nor what its days add up to from its start on.
    const row = Object(each.find((row) => idOf(row) === edit.id))
    return { ...row, updated_at: '', chosen_start: row.chosen_start?.day, earlier: '' }
  })
  const isBack = plan.done && !isDeepStrictEqual(planted, before) && isDeepStrictEqual(after, before)
  return isBack ? plan.title : undefined
}

function edited<Row>(row: Row, { name, value, at }: Edit & { at: string }): Row {
  const start = name === 'start_date' && { chosen_start: { day: value, at } }
  return { ...row, [name]: value, ...start, updated_at: at }
}

function idOf(row: unknown): unknown {
  return Object(row).id
}
