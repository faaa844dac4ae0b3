import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { retryOf } from '../account/retry.ts'
import type { QueueWrite, Write } from '../collections/write.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import { titleOfFailed } from '../react/failed-write-toasts.tsx'
import { type Note, NoteServer, noteCollection, removeNote } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import type { Direction } from './change-history.ts'
import { learnInstants } from './own-instants.ts'
import { planUndo, undoableCollection } from './plan-undo.ts'

withFreshBrowser()

const noon = Date.UTC(2026, 10, 28, 12)

const saveNote: Write<Note, { id: string; text: string; at: string }> = {
  name: 'notes.save',
  version: 1,
  collection: noteCollection,
  apply: (rows, { id, text, at }) => [
    ...rows.filter((note) => note.id !== id),
    { id, text, at: Date.parse(at), removed: false },
  ],
  request: ({ id, text, at }) => ({ method: 'PUT', path: `/notes/${id}`, body: { id, text, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to keep note',
  text: ({ text }) => text,
  typed: true,
}

const undoableNotes = undoableCollection<Note>({
  collection: noteCollection,
  idOf: ({ id }) => id,
  nameOf: ({ text }) => text,
  titleOf: () => 'Note changed',
  partsOf: ({ text }) => new Map([['text', text]]),
  set: (write, { current: { id }, target: { text } }, { moment: { now } }) =>
    void write(saveNote, { id, text, at: instantToWire(now) }),
  remove(write, notes, { now }) {
    for (const { id, text } of notes) void write(removeNote, { id, text, at: now })
  },
  restore(write, notes, { now }) {
    for (const { id, text } of notes) void write(saveNote, { id, text, at: instantToWire(now) })
  },
})

/** Responds to changes, one after the other; undefined: as the server does. */
function respondingWith(responses: (RequestResult | undefined)[]) {
  return ({ method }: ApiRequest) => (method === 'GET' ? undefined : responses.shift())
}

/** A tab whose person undoes what they did in it. Time passes between two changes. */
async function openUndoingTab(respond?: (request: ApiRequest) => RequestResult | undefined) {
  const server = new NoteServer()
  server.notes.set('a', { id: 'a', text: 'as it was', at: 1, removed: false })
  server.notes.set('b', { id: 'b', text: 'as it was', at: 1, removed: false })
  let now = noon
  const tab = openTab(server, { writes: [saveNote, removeNote], now: () => now, ...(respond && { respond }) })
  const { sync } = tab
  await tab.read()
  sync.outbox.subscribe(() => learnInstants(sync.changes.own(), sync.outbox.stored))
  return {
    ...tab,
    server,
    /** Resolves with when the changes that it took were made, as the server was told. */
    async save(...texts: (readonly [id: string, text: string])[]): Promise<Instant[]> {
      now += 60_000
      const done = server.done.length
      for (const [id, text] of texts) void sync.write(saveNote, { id, text, at: instantToWire(now) })
      await settled(sync)
      return server.done.slice(done).map(({ at }) => at)
    },
    /** The same, of a change whose screen knows the way back. */
    async saveWithWayBack(id: string, before: string, text: string): Promise<void> {
      now += 60_000
      const change = (text: string) => (write: QueueWrite) =>
        void write(saveNote, { id, text, at: instantToWire(now) })
      change(text)(sync.write.bind(sync))
      const by = { undo: change(before), redo: change(text), part: 'own' }
      sync.changes.describeChange({ title: 'Note changed', description: '', toastId: 'toast', by })
      await settled(sync)
    },
    /** Makes what came too late after all. */
    async retry(): Promise<void> {
      now += 60_000
      for (const failed of sync.outbox.failedWrites) await retryOf(sync, failed)?.run(instantToWire(now))
      await settled(sync)
    },
    async undoOrRedo(direction: Direction): Promise<Instant[]> {
      now += 60_000
      const done = server.done.length
      const change = sync.changes.next(direction)
      if (!change) throw new Error('Nothing to undo')
      const plan = planUndo(sync, [undoableNotes], {
        change,
        direction,
        moment: { now, timeZone: 'UTC', dayStart: 0 },
      })
      sync.changes.turn(direction, change)
      await plan.run()
      await settled(sync)
      return server.done.slice(done).map(({ at }) => at)
    },
  }
}

describe('what is undone', () => {
  it('counts as made right after the change that it takes back, so it never wins over what somebody did since', async () => {
    const tab = await openUndoingTab()
    const [at = 0] = await tab.save(['a', 'mine'])
    tab.server.notes.set('a', { id: 'a', text: 'theirs', at: at + 5_000, removed: false })
    expect(await tab.undoOrRedo('undo')).toEqual([at + 1])
    expect(tab.server.notes.get('a')?.text).toBe('theirs')
  })

  it('comes after what this tab undid of the same before, and so does what is redone', async () => {
    const tab = await openUndoingTab()
    await tab.save(['a', 'first'])
    const [at = 0] = await tab.save(['a', 'second'])
    expect(await tab.undoOrRedo('undo')).toEqual([at + 1])
    expect(await tab.undoOrRedo('undo')).toEqual([at + 2])
    expect(tab.server.notes.get('a')?.text).toBe('as it was')
    expect(await tab.undoOrRedo('redo')).toEqual([at + 3])
    expect(await tab.undoOrRedo('redo')).toEqual([at + 4])
    expect(tab.server.notes.get('a')?.text).toBe('second')
  })

  it('follows each row of a change that was made in one moment', async () => {
    const tab = await openUndoingTab()
    const [first = 0, second = 0] = await tab.save(['a', 'mine'], ['b', 'mine'])
    // The store keeps the changes of one moment apart.
    expect(second).toBeGreaterThan(first)
    expect(await tab.undoOrRedo('undo')).toEqual([first + 1, second + 1])
  })

  it('does not wait for another row that was undone later', async () => {
    const tab = await openUndoingTab()
    const [first = 0] = await tab.save(['a', 'mine'])
    await tab.save(['b', 'mine'])
    await tab.undoOrRedo('undo')
    expect(await tab.undoOrRedo('undo')).toEqual([first + 1])
  })

  it('comes after what was undone before it of a change whose screen knows the way back', async () => {
    const tab = await openUndoingTab()
    await tab.saveWithWayBack('a', 'as it was', 'first')
    await tab.saveWithWayBack('a', 'first', 'second')
    await tab.undoOrRedo('undo')
    expect(tab.server.notes.get('a')?.text).toBe('first')
    await tab.undoOrRedo('undo')
    expect(tab.server.notes.get('a')?.text).toBe('as it was')
    await tab.undoOrRedo('redo')
    await tab.undoOrRedo('redo')
    expect(tab.server.notes.get('a')?.text).toBe('second')
  })

  it('takes a row away that was added, whatever was undone in it', async () => {
    const tab = await openUndoingTab()
    await tab.save(['c', 'new'])
    await tab.saveWithWayBack('c', 'new', 'newer')
    await tab.undoOrRedo('undo')
    await tab.undoOrRedo('undo')
    expect(tab.server.notes.get('c')?.removed).toBe(true)
  })

  it('takes back what came too late and was made after all', async () => {
    const responses: (RequestResult | undefined)[] = [{ kind: 'done', body: { late: ['text'] } }]
    const tab = await openUndoingTab(respondingWith(responses))
    await tab.save(['a', 'mine'])
    await tab.retry()
    expect(tab.server.notes.get('a')?.text).toBe('mine')
    await tab.undoOrRedo('undo')
    expect(tab.server.notes.get('a')?.text).toBe('as it was')
  })

  it('is told to its person if another device has deleted the row since', async () => {
    const gone = { code: 'NOT_FOUND', message: 'Gone.' }
    const responses: (RequestResult | undefined)[] = [
      undefined,
      { kind: 'refused', status: 404, failure: gone },
    ]
    const deleted = await openUndoingTab(respondingWith(responses))
    await deleted.save(['a', 'mine'])
    await deleted.undoOrRedo('undo')
    const [failed] = deleted.sync.outbox.failedWrites
    expect(failed).toMatchObject({ texts: ['as it was'], reason: 'It stays deleted.' })
    expect(failed && titleOfFailed(failed)).toBe('Not undone: deleted on another device')
    // Nobody typed it just now.
    expect(failed?.typed).not.toBe(true)
  })

  it('is told to its person if another device has changed the same since', async () => {
    const responses: (RequestResult | undefined)[] = [undefined, { kind: 'done', body: { late: ['text'] } }]
    const tab = await openUndoingTab(respondingWith(responses))
    await tab.save(['a', 'mine'])
    await tab.undoOrRedo('undo')
    const [failed] = tab.sync.outbox.failedWrites
    expect(failed).toMatchObject({ texts: ['as it was'], reason: 'A later change stands.' })
    expect(failed && titleOfFailed(failed)).toBe('Not undone: changed since')
  })
})
