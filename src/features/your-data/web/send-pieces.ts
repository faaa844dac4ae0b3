import { type Answer, ask } from '#platform/sync/answer.ts'
import { pause } from '#platform/sync/pause.ts'
import { type ImportPiece, importedSchema } from '../exported-account.ts'
import { type Amounts, newOf, nothing, sumOf } from './in-words.ts'

/** Milliseconds before a piece that got no answer is sent again; after the last it is given up. */
const waits = [1_000, 3_000, 6_000]
/** Milliseconds that a piece is put off for in all, where the server asks to wait: a large account is taken in bit by bit. */
const longestPutOff = 600_000

export interface Sent {
  came: Amounts
  /** A piece was sent again. An answer that was lost may have taken it in before, and `came` lacks its rows then. */
  sentAgain: boolean
  /** Why it stopped. */
  problem?: string
  /** Why the preferences, which come last, were not taken: everything else was. */
  preferencesProblem?: string
}

/** Sends the pieces one after another, each until it is answered. What came before one that is refused stays. */
export async function sendPieces(
  account: string,
  pieces: readonly ImportPiece[],
  told: (sent: number) => void,
): Promise<Sent> {
  let came = nothing
  let sentAgain = false
  for (const [place, piece] of pieces.entries()) {
    const { answer, times } = await sendPiece(account, piece)
    sentAgain ||= times > 1
    const imported = answer.kind === 'done' ? importedSchema.safeParse(answer.body).data : undefined
    if (!imported) {
      console.warn('An import stopped', answer)
      const problem = reasonOf(answer)
      // To send a zone again that the server does not know would never get further.
      const isLeftOut = piece.preferences !== undefined && answer.kind === 'refused'
      return { came, sentAgain, ...(isLeftOut ? { preferencesProblem: problem } : { problem }) }
    }
    came = sumOf(came, newOf(imported))
    told(place + 1)
  }
  return { came, sentAgain }
}

async function sendPiece(account: string, piece: ImportPiece): Promise<{ answer: Answer; times: number }> {
  const { signal } = new AbortController()
  let unanswered = 0
  let putOff = 0
  for (let times = 1; ; times += 1) {
    const answer = await ask({ method: 'POST', path: '/api/import', body: piece }, account, signal)
    if (answer.kind !== 'none') return { answer, times }
    if (answer.retryAfter === undefined) {
      const wait = waits[unanswered]
      if (wait === undefined) return { answer, times }
      unanswered += 1
      await pause(wait, signal)
    } else {
      putOff += answer.retryAfter
      if (putOff > longestPutOff) return { answer, times }
      await pause(answer.retryAfter, signal)
    }
  }
}

function reasonOf(answer: Answer): string {
  // Only a server that was reached says when to come again.
  if (answer.kind === 'none' && answer.retryAfter !== undefined) return 'The server is busy. Try again later.'
  if (answer.kind === 'none' || answer.kind === 'done') return "The server can't be reached."
  if (answer.kind === 'signed-out') return "You're signed out."
  const { message, fields = {} } = answer.failure
  const [where] = Object.keys(fields)
  return where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`
}
