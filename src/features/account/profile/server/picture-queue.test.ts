import { describe, expect, it } from 'vitest'
import { createPictureQueue } from './picture-queue.ts'

/** Converts pictures when the test says so. */
function open(mostWaiting = 10) {
  const enqueue = createPictureQueue<string>(mostWaiting)
  const begun: string[] = []
  const ends = new Map<string, (fails?: Error) => void>()
  const send = (user: string, picture: string) =>
    enqueue(user, () => {
      begun.push(picture)
      return new Promise((resolve, reject) => {
        ends.set(picture, (failure) => (failure ? reject(failure) : resolve(picture)))
      })
    })
  const end = async (picture: string, failure?: Error) => {
    ends.get(picture)?.(failure)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { send, end, begun }
}

describe('pictures of many people', () => {
  it('someone who keeps sending pictures is waited for once, not once for each of them', async () => {
    const { send, end, begun } = open()
    const first = send('Eve', 'eve 1')
    const rest = ['eve 2', 'eve 3', 'eve 4'].map((picture) => send('Eve', picture))
    const ada = send('Ada', 'ada')
    const bob = send('Bob', 'bob')
    expect(begun).toEqual(['eve 1'])
    for (const picture of ['eve 1', 'ada', 'bob', 'eve 4']) await end(picture)
    expect(begun).toEqual(['eve 1', 'ada', 'bob', 'eve 4'])
    expect(await Promise.all([first, ada, bob])).toEqual(['eve 1', 'ada', 'bob'])
    expect(await Promise.all(rest)).toEqual(['replaced', 'replaced', 'eve 4'])
  })

  it('sending another picture does not cost the place in the queue', async () => {
    const { send, end, begun } = open()
    void send('Eve', 'eve')
    void send('Ada', 'ada 1')
    void send('Bob', 'bob')
    void send('Ada', 'ada 2')
    for (const picture of ['eve', 'ada 2', 'bob']) await end(picture)
    expect(begun).toEqual(['eve', 'ada 2', 'bob'])
  })

  it('are refused while too many people are waiting, and accepted again once some have had their turn', async () => {
    const { send, end, begun } = open(2)
    void send('Eve', 'eve')
    void send('Ada', 'ada 1')
    void send('Bob', 'bob')
    expect(await send('Cleo', 'cleo')).toBe('busy')
    // People who are already waiting may still change their mind.
    void send('Ada', 'ada 2')
    await end('eve')
    void send('Cleo', 'cleo')
    for (const picture of ['ada 2', 'bob', 'cleo']) await end(picture)
    expect(begun).toEqual(['eve', 'ada 2', 'bob', 'cleo'])
  })

  it('a failure is reported to its person, and holds up nobody', async () => {
    const { send, end } = open()
    const eve = send('Eve', 'eve')
    const ada = send('Ada', 'ada')
    const failure = expect(eve).rejects.toThrow('no memory')
    await end('eve', new Error('no memory'))
    await failure
    await end('ada')
    expect(await ada).toBe('ada')
  })
})
