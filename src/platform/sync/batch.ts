import type { Instant } from '#platform/calendar/day.ts'
import { type AnsweredChange, changesAnswerSchema, mostChanges } from '#platform/wire/changes.ts'
import { type Answer, decided } from './answer.ts'
import { type Entry, rowOf } from './entry.ts'
import type { WriteRequest } from './write.ts'

/** A queued write as it can be sent. */
export interface Sendable {
  entry: Entry
  request: WriteRequest
}

/** What a write came to. */
export interface Answered {
  entry: Entry
  answer: Answer
}

/** With room to spare: the server takes 64 KB. */
const mostBytes = 60_000
const encoder = new TextEncoder()

/** The first of them that fit into one request, at least one. */
export function fitting(sendable: readonly Sendable[]): readonly Sendable[] {
  let bytes = 0
  const tooMuch = sendable.slice(0, mostChanges).findIndex(({ request }, place) => {
    bytes += encoder.encode(JSON.stringify(request)).length + 2
    return place > 0 && bytes > mostBytes
  })
  return sendable.slice(0, tooMuch === -1 ? mostChanges : tooMuch)
}

/** One request for all of them: those of a row in their order, the rows beside each other. */
export function batchRequest(batch: readonly Sendable[]): WriteRequest {
  const rows = rowsOf(batch).map((row) => row.map(({ request }) => request))
  return { method: 'POST', path: '/api/changes', body: { rows } }
}

/** What each of them was answered that was tried; undefined where that is no answer to the batch. */
export function batchAnswers(
  batch: readonly Sendable[],
  body: object,
  date: Instant | undefined,
): Answered[] | undefined {
  const answered = changesAnswerSchema.safeParse(body).data?.rows
  const rows = rowsOf(batch)
  if (answered?.length !== rows.length) return undefined
  return rows.flatMap((row, place) =>
    row.slice(0, answered[place]?.length).map(({ entry }, index) => ({
      entry,
      answer: answerOf(answered[place]?.[index], date),
    })),
  )
}

function answerOf(answered: AnsweredChange | undefined, date: Instant | undefined): Answer {
  if (!answered) return { kind: 'none', retryAfter: undefined }
  const { status, body, retry_after } = answered
  const wait = retry_after === undefined ? undefined : retry_after * 1000
  return decided(status, typeof body === 'object' && body !== null ? body : undefined, wait, date)
}

function rowsOf(batch: readonly Sendable[]): Sendable[][] {
  return [...Map.groupBy(batch, ({ entry }) => rowOf(entry)).values()]
}
