import type { Answer } from './answer.ts'

/** Why nothing came of a request: there is no connection, the server does not respond, or it answered with an error. */
export type Trouble = 'offline' | 'silent' | 'broken'

/** Of a reading that brought nothing to show. */
export class Troubled extends Error {
  override name = 'Troubled'
  trouble: Trouble

  constructor(message: string, trouble: Trouble) {
    super(message)
    this.trouble = trouble
  }
}

export function troubleOf(answer: Exclude<Answer, { kind: 'done' }>): Trouble {
  if (answer.kind !== 'none' || answer.by === 'server') return 'broken'
  return troubleWithoutFailure(answer.status)
}

// So says what stands before a server that does not respond.
const ofGateways = new Set([502, 503, 504])

/** Where nothing of ours was answered; `status` is that of whatever was. A proxy may put its own page in place of the error. */
export function troubleWithoutFailure(status?: number): Trouble {
  if (status !== undefined && status >= 500 && !ofGateways.has(status)) return 'broken'
  return navigator.onLine === false ? 'offline' : 'silent'
}

export function troubleInWords(trouble: Trouble): string {
  if (trouble === 'offline') return "You're offline. Try again when you're back online."
  if (trouble === 'silent') return "The server isn't responding. Try again in a moment."
  return 'Something went wrong on the server. Your connection is fine.'
}
