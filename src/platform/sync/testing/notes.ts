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
  | 'refused'
  | 'broken'
  | 'signed-out'

/** A server of notes that keeps the rules of the real one and meets each request with the next of its fates. */
export class NoteServer {
  notes = new Map<string, Note>()
  /** Every change that was done, in order, once for each time. */
  done: { id: string; at: number }[] = []
  refused = new Set<number>()
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  #late: Request[] = []

  ask = async (request: Request, _account: string, signal: AbortSignal): Promise<Answer> => {
    await turn()
    if (signal.aborted) return { kind: 'none', retryAfter: undefined }
    const fate = this.fates[request.method === 'GET' ? 'reads' : 'writes'].shift() ?? 'answered'
    if (fate === 'lost') return { kind: 'none', retryAfter: undefined }
    if (fate === 'signed-out') return { kind: 'signed-out' }
    if (fate === 'refused' || fate === 'broken') {
      if (request.method !== 'GET') this.refused.add(atOf(request))
      const failure = { code: 'NO', message: 'No.' }
      return { kind: 'refused', status: fate === 'refused' ? 400 : 500, failure }
    }
    const answer = this.#answer(request)
    if (fate === 'repeated') this.#late.push(request)
    else for (const late of this.#late.splice(0)) this.#answer(late)
    for (let turns = fate === 'slow' ? 25 : 1; turns > 0; turns--) await turn()
    return fate === 'unanswered' ? { kind: 'none', retryAfter: undefined } : answer
  }

  #answer(request: Request): Answer {
    if (request.method === 'GET') {
      return { kind: 'done', body: { notes: [...this.notes.values()] } }
    }
    const id = request.path.slice('/notes/'.length)
    const at = atOf(request)
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

/** Lets everything else that is ready to run do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function atOf({ body }: Request): number {
  if (typeof body === 'object' && body !== null && 'at' in body && typeof body.at === 'number') return body.at
  throw new Error('A change says when it was made')
}

function textOf({ body }: Request): string {
  if (typeof body === 'object' && body !== null && 'text' in body) return String(body.text)
  throw new Error('A note has a text')
}
