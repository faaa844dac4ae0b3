import * as z from 'zod/mini'
import { changesResponseSchema, changesSchema } from '#platform/wire/changes.ts'
import type { Collection } from '../collections/collection.ts'
import type { Write } from '../collections/write.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'

/** The smallest possible collection, for testing the path of a change without a feature. */
export interface Note {
  id: string
  text: string
  /** When the note was last changed. The later change wins, as on the real server. */
  at: number
  /** A removed note stays in the collection, so that a note that reappears by mistake is noticed. */
  removed: boolean
}

export const noteCollection: Collection<Note> = {
  name: 'notes',
  path: '/notes',
  long: { array: 'notes', fields: { removed: { wire: z.boolean(), whenMissing: false } } },
  order: byId,
  rows(result) {
    if (
      typeof result !== 'object' ||
      result === null ||
      !('notes' in result) ||
      !Array.isArray(result.notes)
    ) {
      throw new Error('Not a list of notes')
    }
    return result.notes
  },
}

export interface NoteChange {
  id: string
  text: string
  at: number
}

export const putNote: Write<Note, NoteChange> = {
  name: 'notes.put',
  version: 1,
  collection: noteCollection,
  apply: (rows, note) => [...rows.filter(({ id }) => id !== note.id), { ...note, removed: false }],
  request: (note) => ({ method: 'PUT', path: `/notes/${note.id}`, body: note }),
  subject: ({ id }) => id,
  refusal: 'Failed to keep note',
  text: ({ text }) => text,
}

export const removeNote: Write<Note, NoteChange> = {
  name: 'notes.remove',
  version: 1,
  collection: noteCollection,
  apply: (rows, { id, at }) =>
    rows.map((note) => (note.id === id && !note.removed ? { ...note, at, removed: true } : note)),
  request: ({ id, at }) => ({ method: 'DELETE', path: `/notes/${id}`, body: { at } }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to remove note',
  text: ({ text }) => text,
}

export const noteWrites = [putNote, removeNote]

/** What may happen to a request. */
export type Fate =
  | 'answered'
  /** The server handles the request, but the response takes a while. */
  | 'slow'
  /** The request never arrives. */
  | 'lost'
  /** The server handles the request, but the response never arrives. */
  | 'unanswered'
  /** The server handles the request, and once more after others. */
  | 'repeated'
  /** The server refuses the request; of a batch, only the first row. */
  | 'refused'
  /** The server fails; in a batch, only for the first row. */
  | 'broken'
  | 'signed-out'

/** A server of notes that follows the real server's rules and gives each request the next of its fates. */
export class NoteServer {
  notes = new Map<string, Note>()
  /** Every change in the order in which the server made it. A repeated change appears each time. */
  done: { id: string; at: number }[] = []
  refused = new Set<number>()
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  /** A firewall in front of the server blocks every request with a change made at one of these instants. */
  blocked = new Set<number>()
  /** Whether it gives each state a tag, and tells what has changed since one. */
  isByRevision = false
  /** The note that each revision changed; undefined if it may have been any. */
  #changed: (string | undefined)[] = []
  #unanswered = new Map<number, number>()
  #late: ApiRequest[] = []

  /** `fixedResults`: predetermined results for some changes of a batch, by their requests (`keyOf`). */
  handle = async (
    request: ApiRequest,
    _account: string,
    signal: AbortSignal,
    _begun?: () => void,
    fixedResults: ReadonlyMap<string, RequestResult> = new Map(),
  ): Promise<RequestResult> => {
    await eventLoopTurn()
    if (signal.aborted) return { kind: 'none', retryAfter: undefined }
    const fate = this.fates[request.method === 'GET' ? 'reads' : 'writes'].shift() ?? 'answered'
    const instants = request.method === 'GET' ? [] : changesIn(request).map(atOf)
    const blocked = instants.filter((at) => this.blocked.has(at))
    if (blocked.length > 0) {
      for (const at of blocked) this.refused.add(at)
      return { kind: 'none', retryAfter: undefined, by: 'something else' }
    }
    if (fate === 'lost' || fate === 'unanswered') this.#countUnanswered(instants)
    if (fate === 'lost') return { kind: 'none', retryAfter: undefined }
    if (fate === 'signed-out') return { kind: 'signed-out' }
    const fails = fate === 'refused' || fate === 'broken' ? fate : undefined
    const result = this.#respond(request, fails, fixedResults)
    if (fate === 'repeated') this.#late.push(request)
    else for (const late of this.#late.splice(0)) this.#respond(late, undefined, new Map())
    for (let turns = fate === 'slow' ? 25 : 1; turns > 0; turns--) await eventLoopTurn()
    return fate === 'unanswered' ? { kind: 'none', retryAfter: undefined } : result
  }

  /** A change that never gets a response while others do counts as refused in the end. */
  #countUnanswered(instants: readonly number[]): void {
    for (const at of instants) {
      const times = (this.#unanswered.get(at) ?? 0) + 1
      this.#unanswered.set(at, times)
      if (times >= 10) this.refused.add(at)
    }
  }

  #respond(
    request: ApiRequest,
    fails: 'refused' | 'broken' | undefined,
    fixedResults: ReadonlyMap<string, RequestResult>,
  ): RequestResult {
    if (request.method === 'GET') {
      if (fails) return failureResult(fails)
      return this.isByRevision
        ? this.#read(request)
        : { kind: 'done', body: { notes: [...this.notes.values()] } }
    }
    if (request.path !== batchPath) return this.#change(request, fails)
    const { rows } = changesSchema.parse(request.body)
    const [first] = rows
    const rowResponses = rows.map((row) => {
      const responses: ReturnType<typeof toWire>[] = []
      for (const change of row) {
        const isFirst = row === first && responses.length === 0
        const result = fixedResults.get(keyOf(change)) ?? this.#change(change, isFirst ? fails : undefined)
        responses.push(toWire(result))
        if (result.kind !== 'done') break
      }
      return responses
    })
    return { kind: 'done', body: changesResponseSchema.parse({ rows: rowResponses }) }
  }

  /** The tag of what it has. */
  get tag(): string {
    return `"${this.#changed.length}"`
  }

  /** Changes a note as another device of the person would; without a note, something of which it cannot tell what it changed. */
  put(note?: Note): void {
    if (note) this.notes.set(note.id, note)
    this.#changed.push(note?.id)
  }

  /** Removes a note so that it is not in the answer any more. */
  drop(id: string): void {
    this.notes.delete(id)
    this.#changed.push(id)
  }

  #read({ path, cached }: ApiRequest): RequestResult {
    const { tag } = this
    if (cached?.tag === tag) return { kind: 'done', ...cached }
    const since = new URLSearchParams(path.split('?')[1]).get('since')
    const changed = since === null ? [undefined] : this.#changed.slice(Number(since))
    if (changed.includes(undefined))
      return { kind: 'done', body: { notes: [...this.notes.values()].sort(byId) }, tag }
    const ids = [...new Set(changed)].filter((id) => id !== undefined)
    const notes = ids.flatMap((id) => this.notes.get(id) ?? [])
    return {
      kind: 'done',
      body: { since, notes, left: ids.filter((id) => !this.notes.has(id)) },
      tag: `W/${tag}`,
    }
  }

  #change(request: ApiRequest, fails: 'refused' | 'broken' | undefined): RequestResult {
    const id = request.path.slice('/notes/'.length)
    const at = atOf(request)
    if (fails) {
      this.refused.add(at)
      return failureResult(fails)
    }
    this.done.push({ id, at })
    const current = this.notes.get(id)
    if (request.method === 'DELETE') {
      if (!current || current.removed) {
        return { kind: 'refused', status: 404, failure: { code: 'NOT_FOUND', message: 'Not there.' } }
      }
      if (at >= current.at) this.put({ ...current, at, removed: true })
      return { kind: 'done', body: {} }
    }
    if (!current || at >= current.at) this.put({ id, at, text: textOf(request), removed: false })
    return { kind: 'done', body: {} }
  }
}

export const batchPath = '/api/changes'

/** The changes in a request, which may hold one or several. */
export function changesIn(request: ApiRequest): ApiRequest[] {
  return request.path === batchPath ? changesSchema.parse(request.body).rows.flat() : [request]
}

export function keyOf(request: ApiRequest): string {
  return JSON.stringify(request)
}

function failureResult(fails: 'refused' | 'broken'): RequestResult {
  const failure = { code: 'NO', message: 'No.' }
  return { kind: 'refused', status: fails === 'refused' ? 400 : 500, failure }
}

function toWire(result: RequestResult): { status: number; body: object; retry_after?: number } {
  if (result.kind === 'done') return { status: 200, body: result.body }
  if (result.kind === 'refused') return { status: result.status, body: result.failure }
  if (result.kind === 'signed-out') throw new Error('That is said of a whole request')
  const message = result.storageProblem ?? 'Later.'
  return {
    status: 503,
    body: { code: 'STORAGE_FULL', message },
    retry_after: (result.retryAfter ?? 0) / 1000,
  }
}

/** Lets everything else that is ready run first. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function atOf({ body }: ApiRequest): number {
  if (typeof body === 'object' && body !== null && 'at' in body) {
    return typeof body.at === 'number' ? body.at : Date.parse(String(body.at))
  }
  throw new Error('A change says when it was made')
}

function textOf({ body }: ApiRequest): string {
  if (typeof body === 'object' && body !== null && 'text' in body) return String(body.text)
  throw new Error('A note has a text')
}

function byId(one: Note, other: Note): number {
  return one.id < other.id ? -1 : 1
}
