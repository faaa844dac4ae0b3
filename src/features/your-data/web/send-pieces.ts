import { type Answer, ask } from '#platform/sync/answer.ts'
import { pause } from '#platform/sync/pause.ts'
import { type ImportPiece, importedSchema } from '../exported-account.ts'
import { type Amounts, newOf, nothing, sumOf } from './in-words.ts'

/** Milliseconds before a piece that got no answer is sent again; after the last it is given up. */
const waits = [1_000, 3_000, 6_000]

type Sent = { came: Amounts } | { came: Amounts; problem: string }

/** Sends the pieces one after another, each until it is answered. What came before one that is refused stays. */
export async function sendPieces(
  account: string,
  pieces: readonly ImportPiece[],
  told: (sent: number) => void,
): Promise<Sent> {
  let came = nothing
  for (const [place, piece] of pieces.entries()) {
    const answer = await sendPiece(account, piece)
    const imported = answer.kind === 'done' ? importedSchema.safeParse(answer.body).data : undefined
    if (!imported) {
      console.warn('An import stopped', answer)
      return { came, problem: reasonOf(answer) }
    }
    came = sumOf(came, newOf(imported))
    told(place + 1)
  }
  return { came }
}

async function sendPiece(account: string, piece: ImportPiece): Promise<Answer> {
  const { signal } = new AbortController()
  const send = () => ask({ method: 'POST', path: '/api/import', body: piece }, account, signal)
  for (const wait of waits) {
    const answer = await send()
    if (answer.kind !== 'none') return answer
    await pause(Math.max(wait, answer.retryAfter ?? 0), signal)
  }
  return send()
}

function reasonOf(answer: Answer): string {
  if (answer.kind === 'none' || answer.kind === 'done') return 'The server cannot be reached.'
  if (answer.kind === 'signed-out') return 'You are signed out.'
  const { message, fields = {} } = answer.failure
  const [where] = Object.keys(fields)
  return where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`
}
