import { describe, expect, it } from 'vitest'
import { signOf } from './sync-words.ts'

const calm = { online: true, sending: false, waiting: 0, durable: true }

describe('the sign of unsent changes', () => {
  it('says that all is saved only where nothing waits and the server can be reached', () => {
    expect(signOf(calm).words).toBe('All changes saved')
    for (const online of [true, false]) {
      for (const sending of [true, false]) {
        for (const durable of [true, false]) {
          for (const waiting of [0, 1, 2]) {
            const { kind, words, short } = signOf({ online, sending, waiting, durable })
            const isSaved = online && waiting === 0
            expect([kind === 'saved', /saved/i.test(words), /saved/i.test(short)]).toEqual(
              Array(3).fill(isSaved),
            )
          }
        }
      }
    }
  })

  it.each([
    [{ online: false }, 'Offline', 'Offline'],
    [{ online: false, waiting: 1 }, 'Offline, 1 change waiting', 'Offline · 1'],
    [{ sending: true, waiting: 1_204 }, 'Sending 1,204 changes', 'Sending 1,204'],
    [{ waiting: 2 }, '2 changes waiting', '2 waiting'],
    [{ waiting: 1, durable: false }, '1 change only in this tab', '1 waiting'],
    [{ durable: false }, 'All changes saved', 'Saved'],
  ])('says of %j: %s, and %s where it is narrow', (state, words, short) => {
    expect(signOf({ ...calm, ...state })).toMatchObject({ words, short })
  })
})
