import { expect, test } from 'vitest'
import { sendOverlapping } from './send-overlapping.ts'

/** Requests that are answered when the test says so. */
async function heldRequests(neededBefore: readonly number[]) {
  const sent: PromiseWithResolvers<string | undefined>[] = []
  const sending = sendOverlapping(neededBefore, (place) => {
    expect(place).toBe(sent.length)
    const answer = Promise.withResolvers<string | undefined>()
    sent.push(answer)
    return answer.promise
  })
  /** Answers a request, and returns how many have been sent once the answer was taken in. */
  async function answer(place: number, failure?: string): Promise<number> {
    sent[place]?.resolve(failure)
    await settled()
    return sent.length
  }
  await settled()
  return { sent, ended: () => sending, answer }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('while one request is answered the next is on its way, and never a third', async () => {
  const { sent, ended, answer } = await heldRequests([0, 0, 0, 0])
  expect(sent).toHaveLength(2)
  expect(await answer(0)).toBe(3)
  expect(await answer(2)).toBe(3)
  expect(await answer(1)).toBe(4)
  await answer(3)
  expect(await ended()).toBeUndefined()
})

test('a request is sent only after the answers to those that it needs', async () => {
  const { sent, ended, answer } = await heldRequests([0, 1, 1, 3])
  expect(sent).toHaveLength(1)
  expect(await answer(0)).toBe(3)
  expect(await answer(1)).toBe(3)
  expect(await answer(2)).toBe(4)
  await answer(3)
  expect(await ended()).toBeUndefined()
})

test('after a failure nothing more is sent, and what is on its way is still waited for', async () => {
  const { ended, answer } = await heldRequests([0, 0, 0, 0])
  let isOver = false
  const over = ended().finally(() => {
    isOver = true
  })
  expect(await answer(0, 'refused')).toBe(2)
  expect(isOver).toBe(false)
  await answer(1, 'also refused')
  expect(await over).toBe('refused')
})
