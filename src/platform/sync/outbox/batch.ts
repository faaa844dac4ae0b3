import type { Instant } from '#platform/calendar/day.ts'
import { type ChangeResponse, changesResponseSchema, maxChanges } from '#platform/wire/changes.ts'
import { type QueuedWrite, rowKey } from '../local-store/queued-write.ts'
import { type ApiRequest, interpretResponse, type RequestResult } from '../network/request.ts'

/** A queued write and the request that sends it. */
export interface Sendable {
  write: QueuedWrite
  request: ApiRequest
}

/** A sent write and its result. */
export interface WriteResult {
  write: QueuedWrite
  result: RequestResult
}

/** Bytes. The server accepts requests of 64 KB; this leaves some room. */
const maxBytes = 60_000
const encoder = new TextEncoder()

/** The first writes that fit into one request, at least one. */
export function fitIntoRequest(sendable: readonly Sendable[]): readonly Sendable[] {
  let bytes = 0
  const overflow = sendable.slice(0, maxChanges).findIndex(({ request }, index) => {
    bytes += encoder.encode(JSON.stringify(request)).length + 2
    return index > 0 && bytes > maxBytes
  })
  return sendable.slice(0, overflow === -1 ? maxChanges : overflow)
}

/** One request for all writes of a batch. The server handles the writes of one row in order, different rows independently. */
export function batchRequest(batch: readonly Sendable[]): ApiRequest {
  const rows = rowsOf(batch).map((row) => row.map(({ request: { headers, ...change } }) => change))
  const headers = Object.assign({}, ...batch.map(({ request }) => request.headers))
  return { method: 'POST', path: '/api/changes', headers, body: { rows } }
}

/** The result of each write that the server tried; undefined if the body is not a response to this batch. */
export function batchResults(
  batch: readonly Sendable[],
  body: object,
  date: Instant | undefined,
): WriteResult[] | undefined {
  const responses = changesResponseSchema.safeParse(body).data?.rows
  const rows = rowsOf(batch)
  if (responses?.length !== rows.length) return undefined
  return rows.flatMap((row, rowIndex) =>
    row.slice(0, responses[rowIndex]?.length).map(({ write }, index) => ({
      write,
      result: resultOf(responses[rowIndex]?.[index], date),
    })),
  )
}

function resultOf(response: ChangeResponse | undefined, date: Instant | undefined): RequestResult {
  if (!response) return { kind: 'none', retryAfter: undefined }
  const { status, body, retry_after } = response
  const retryDelay = retry_after === undefined ? undefined : retry_after * 1000
  return interpretResponse(
    status,
    typeof body === 'object' && body !== null ? body : undefined,
    retryDelay,
    date,
  )
}

function rowsOf(batch: readonly Sendable[]): Sendable[][] {
  return [...Map.groupBy(batch, ({ write }) => rowKey(write)).values()]
}
