import { changesAnswerSchema, changesSchema } from '#platform/wire/changes.ts'
import type { Answer, Request } from '../answer.ts'
import type { List } from '../list.ts'
import type { Write } from '../write.ts'

/** A list as small as one can be, for trying the way of a change without a feature. */
export interface Note {
  id: string
  text: string
  /** When it was last changed; the later change wins, here as on the real server. */
  at: number
  /** A removed note stays listed, so that one which comes back by mistake is seen. */
  removed: boolean
}

export const noteList: List<Note> = {
  name: 'notes',
  path: '/notes',
  rows(answer) {
    if (
      typeof answer !== 'object' ||
      answer === null ||
      !('notes' in answer) ||
      !Array.isArray(answer.notes)
    ) {
      throw new Error('Not a list of notes')
    }
    return answer.notes
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
  list: noteList,
  apply: (rows, note) => [...rows.filter(({ id }) => id !== note.id), { ...note, removed: false }],
  request: (note) => ({ method: 'PUT', path: `/notes/${note.id}`, body: note }),
  subject: ({ id }) => id,
  refusal: 'Failed to keep note',
  text: ({ text }) => text,
}

export const removeNote: Write<Note, NoteChange> = {
  name: 'notes.remove',
  version: 1,
  list: noteList,
  apply: (rows, { id, at }) =>
    rows.map((note) => (note.id === id && !note.removed ? { ...note, at, removed: true } : note)),
  request: ({ id, at }) => ({ method: 'DELETE', path: `/notes/${id}`, body: { at } }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to remove note',
  text: ({ text }) => text,
}

export const noteWrites = [putNote, removeNote]

/** What may become of one request. */
export type Fate =
  | 'answered'
  /** It is done, and the answer takes its time. */
  | 'slow'
  /** It never arrives. */
  | 'lost'
  /** It is done, but the answer never arrives. */
  | 'unanswered'
  /** It is done, and arrives once more when others have been done since. */
  | 'repeated'
  /** Of a batch, the first row of it is. */
  | 'refused'
  /** The same. */
  | 'broken'
  | 'signed-out'

/** A server of notes that keeps the rules of the real one and meets each request with the next of its fates. */
export class NoteServer {
  notes = new Map<string, Note>()
  /** Every change that was done, in order, once for each time. */
  done: { id: string; at: number }[] = []
  refused = new Set<number>()
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  /** A firewall in front of it lets no request through that has a change of these instants in it. */
  disliked = new Set<number>()
  #silent = new Map<number, number>()
  #late: Request[] = []

  /** `told`: what some changes of a batch are answered in any case, by how they are sent (`keyOf`). */
  ask = async (
    request: Request,
    _account: string,
    signal: AbortSignal,
    _begun?: () => void,
    told: ReadonlyMap<string, Answer> = new Map(),
  ): Promise<Answer> => {
    await turn()
    if (signal.aborted) return { kind: 'none', retryAfter: undefined }
    const fate = this.fates[request.method === 'GET' ? 'reads' : 'writes'].shift() ?? 'answered'
    const instants = request.method === 'GET' ? [] : changesIn(request).map(atOf)
    const disliked = instants.filter((at) => this.disliked.has(at))
    if (disliked.length > 0) {
      for (const at of disliked) this.refused.add(at)
      return { kind: 'none', retryAfter: undefined, by: 'something else' }
    }
    if (fate === 'lost' || fate === 'unanswered') this.#countSilence(instants)
    if (fate === 'lost') return { kind: 'none', retryAfter: undefined }
    if (fate === 'signed-out') return { kind: 'signed-out' }
    const fails = fate === 'refused' || fate === 'broken' ? fate : undefined
    const answer = this.#answer(request, fails, told)
    if (fate === 'repeated') this.#late.push(request)
    else for (const late of this.#late.splice(0)) this.#answer(late, undefined, new Map())
    for (let turns = fate === 'slow' ? 25 : 1; turns > 0; turns--) await turn()
    return fate === 'unanswered' ? { kind: 'none', retryAfter: undefined } : answer
  }

  /** What never gets an answer, though others do, is taken for refused in the end. */
  #countSilence(instants: readonly number[]): void {
    for (const at of instants) {
      const times = (this.#silent.get(at) ?? 0) + 1
      this.#silent.set(at, times)
      if (times >= 10) this.refused.add(at)
    }
  }

  #answer(
    request: Request,
    fails: 'refused' | 'broken' | undefined,
    told: ReadonlyMap<string, Answer>,
  ): Answer {
    if (request.method === 'GET') {
      if (fails) return failing(fails)
      return { kind: 'done', body: { notes: [...this.notes.values()] } }
    }
    if (request.path !== batchPath) return this.#change(request, fails)
    const { rows } = changesSchema.parse(request.body)
    const [first] = rows
    const answered = rows.map((row) => {
      const answers: ReturnType<typeof onTheWire>[] = []
      for (const change of row) {
        const isFirst = row === first && answers.length === 0
        const answer = told.get(keyOf(change)) ?? this.#change(change, isFirst ? fails : undefined)
        answers.push(onTheWire(answer))
        if (answer.kind !== 'done') break
      }
      return answers
    })
    return { kind: 'done', body: changesAnswerSchema.parse({ rows: answered }) }
  }

  #change(request: Request, fails: 'refused' | 'broken' | undefined): Answer {
    const id = request.path.slice('/notes/'.length)
    const at = atOf(request)
    if (fails) {
      this.refused.add(at)
      return failing(fails)
    }
    this.done.push({ id, at })
    const known = this.notes.get(id)
    if (request.method === 'DELETE') {
      if (!known || known.removed) {
        return { kind: 'refused', status: 404, failure: { code: 'NOT_FOUND', message: 'Not there.' } }
      }
      if (at >= known.at) this.notes.set(id, { ...known, at, removed: true })
      return { kind: 'done', body: {} }
    }
    if (!known || at >= known.at) this.notes.set(id, { id, at, text: textOf(request), removed: false })
    return { kind: 'done', body: {} }
  }
}

export const batchPath = '/api/changes'

/** The changes in a request that makes one or several. */
export function changesIn(request: Request): Request[] {
  return request.path === batchPath ? changesSchema.parse(request.body).rows.flat() : [request]
}

export function keyOf(request: Request): string {
  return JSON.stringify(request)
}

function failing(fails: 'refused' | 'broken'): Answer {
  const failure = { code: 'NO', message: 'No.' }
  return { kind: 'refused', status: fails === 'refused' ? 400 : 500, failure }
}

function onTheWire(answer: Answer): { status: number; body: object; retry_after?: number } {
  if (answer.kind === 'done') return { status: 200, body: answer.body }
  if (answer.kind === 'refused') return { status: answer.status, body: answer.failure }
  if (answer.kind === 'signed-out') throw new Error('That is said of a whole request')
  const message = answer.trouble ?? 'Later.'
  return {
    status: 503,
    body: { code: 'STORAGE_FULL', message },
    retry_after: (answer.retryAfter ?? 0) / 1000,
  }
}

/** Lets everything else that is ready to run do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function atOf({ body }: Request): number {
  if (typeof body === 'object' && body !== null && 'at' in body) {
    return typeof body.at === 'number' ? body.at : Date.parse(String(body.at))
  }
  throw new Error('A change says when it was made')
}

function textOf({ body }: Request): string {
  if (typeof body === 'object' && body !== null && 'text' in body) return String(body.text)
  throw new Error('A note has a text')
}
