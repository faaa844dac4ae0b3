import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CollectedResponses } from './collected-responses.ts'

const long = JSON.stringify('x'.repeat(100_000))

/** Adds so many long responses to a row as fast as there is room. */
async function fill(responses: CollectedResponses, row: number, count: number): Promise<number> {
  let made = 0
  for (; made < count && (await responses.room(row)); made += 1) responses.add(row, long)
  responses.end(row)
  return made
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

test('responses are written in the order in which their changes were sent, whichever was made first', async () => {
  const responses = new CollectedResponses(3, undefined)
  const pieces = responses.written()
  responses.add(2, '"c"')
  responses.end(2)
  responses.end(1)
  expect((await pieces.next()).value).toBe('{"rows":[')
  responses.add(0, '"a"')
  expect((await pieces.next()).value).toBe('["a"')
  responses.add(0, '"b"')
  responses.end(0)
  let rest = ''
  for await (const piece of pieces) rest += piece
  expect(JSON.parse(`{"rows":[["a"${rest}`)).toEqual({ rows: [['a', 'b'], [], ['c']] })
})

test('as long as the client reads nothing, no more is made than fits into memory; once it has gone all is made', async () => {
  const patience: number[] = []
  const outgoing = Object.assign(new EventEmitter(), {
    destroyed: false,
    req: { socket: new EventEmitter() },
    setTimeout: (milliseconds: number) => patience.push(milliseconds),
  })
  const responses = new CollectedResponses(3, outgoing)
  let ended = false
  void responses.ended.then(() => {
    ended = true
  })
  const made = [0, 1, 2].map(async (row) => {
    let count = 0
    for (; count < 20 && (await responses.room(row)); count += 1) {
      responses.add(row, long)
      all += 1
    }
    return count
  })
  let all = 0
  await settled()
  expect(all).toBeLessThanOrEqual(3)
  expect(ended).toBe(false)
  // Somebody who never reads is cut off: the next ones have to wait for the room that is held.
  expect(patience).toEqual([30_000])
  outgoing.emit('close')
  expect(await Promise.all(made)).toEqual([20, 20, 20])
  expect(ended).toBe(true)
})

test('the row whose turn it is waits for no other one', async () => {
  const responses = new CollectedResponses(2, undefined)
  const pieces = responses.written()
  await pieces.next()
  const later = fill(responses, 1, 5)
  await settled()
  responses.add(0, '"first"')
  responses.end(0)
  expect((await pieces.next()).value).toBe('["first"')
  let length = 0
  for await (const piece of pieces) length += piece.length
  expect(await later).toBe(5)
  expect(length).toBeGreaterThan(5 * 100_000)
})

test('of responses that are too long together, the rest is not made', async () => {
  const responses = new CollectedResponses(2, undefined)
  const made = [fill(responses, 0, 100), fill(responses, 1, 100)]
  let length = 0
  for await (const piece of responses.written()) length += piece.length
  expect(length).toBeLessThan(9 * 1024 * 1024)
  expect(await made[0]).toBeLessThan(100)
  expect(await made[1]).toBeLessThanOrEqual(1)
})

test('a response that fails ends what is written', async () => {
  const responses = new CollectedResponses(1, undefined)
  const pieces = responses.written()
  await pieces.next()
  const next = pieces.next()
  responses.fail(new Error('no luck'))
  await expect(next).rejects.toThrow('no luck')
  await responses.ended
})
