import { pause } from '#platform/sync/network/pause.ts'
import { type RequestResult, sendRequest } from '#platform/sync/network/request.ts'
import { type ImportPiece, importedSchema } from '../exported-account.ts'
import { type Amounts, newOf, nothing, sumOf } from './format-counts.ts'

/** Milliseconds before a piece that got no response is sent again; after the last one the import gives up. */
const retryDelays = [1_000, 3_000, 6_000]
/** The total of milliseconds to wait at the server's request for one piece: a large account is imported bit by bit. */
const maxWait = 600_000

export interface Sent {
  added: Amounts
  /** A piece was sent again. If the lost response was for rows that had been imported, `added` lacks them. */
  sentAgain: boolean
  /** Why the import stopped. */
  problem?: string
  /** Why the preferences, which come last, were not imported although everything else was. */
  preferencesProblem?: string
}

/** Sends the pieces one after another, each until it gets a response. Pieces sent before a rejected one stay. */
export async function sendPieces(
  account: string,
  pieces: readonly ImportPiece[],
  onProgress: (sent: number) => void,
): Promise<Sent> {
  let added = nothing
  let sentAgain = false
  for (const [place, piece] of pieces.entries()) {
    const { result, attempts } = await sendPiece(account, piece)
    sentAgain ||= attempts > 1
    const imported = result.kind === 'done' ? importedSchema.safeParse(result.body).data : undefined
    if (!imported) {
      console.warn('An import stopped', result)
      const problem = reasonOf(result)
      // Sending a zone that the server does not know again would not help.
      const isLeftOut = piece.preferences !== undefined && result.kind === 'refused'
      return { added, sentAgain, ...(isLeftOut ? { preferencesProblem: problem } : { problem }) }
    }
    added = sumOf(added, newOf(imported))
    onProgress(place + 1)
  }
  return { added, sentAgain }
}

async function sendPiece(
  account: string,
  piece: ImportPiece,
): Promise<{ result: RequestResult; attempts: number }> {
  const { signal } = new AbortController()
  let unanswered = 0
  let waited = 0
  for (let attempts = 1; ; attempts += 1) {
    const result = await sendRequest({ method: 'POST', path: '/api/import', body: piece }, account, signal)
    if (result.kind !== 'none') return { result, attempts }
    if (result.retryAfter === undefined) {
      const wait = retryDelays[unanswered]
      if (wait === undefined) return { result, attempts }
      unanswered += 1
      await pause(wait, signal)
    } else {
      waited += result.retryAfter
      if (waited > maxWait) return { result, attempts }
      await pause(result.retryAfter, signal)
    }
  }
}

function reasonOf(result: RequestResult): string {
  // Only a server that was reached says when to retry.
  if (result.kind === 'none' && result.retryAfter !== undefined) return 'The server is busy. Try again later.'
  if (result.kind === 'none' || result.kind === 'done') return "The server can't be reached."
  if (result.kind === 'signed-out') return "You're signed out."
  const { message, fields = {} } = result.failure
  const [where] = Object.keys(fields)
  return where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`
}
