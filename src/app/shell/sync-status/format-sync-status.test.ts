import { describe, expect, it } from 'vitest'
import { formatFailedChanges, formatSyncStatus } from './format-sync-status.ts'

const calm = { connection: 'up', sending: false, waiting: 0, durable: true } as const

describe('the sign of unsent changes', () => {
  it('says that all is saved only where nothing waits and the server can be reached', () => {
    expect(formatSyncStatus(calm).text).toBe('All changes saved')
    for (const connection of ['up', 'offline', 'silent'] as const) {
      for (const sending of [true, false]) {
        for (const durable of [true, false]) {
          for (const waiting of [0, 1, 2]) {
            const { kind, text, short } = formatSyncStatus({ connection, sending, waiting, durable })
            const isSaved = connection === 'up' && waiting === 0
            expect([kind === 'saved', /saved/i.test(text), short === '']).toEqual(Array(3).fill(isSaved))
          }
        }
      }
    }
  })

  it.each([
    [{ connection: 'offline' as const }, 'Offline', 'Offline'],
    [
      { connection: 'offline' as const, waiting: 1 },
      'Offline. 1 change waits on this device',
      'Offline, 1 waits',
    ],
    [{ connection: 'silent' as const }, 'The server does not answer', 'No answer'],
    [
      { connection: 'silent' as const, waiting: 3 },
      'The server does not answer. 3 changes wait',
      'No answer, 3 wait',
    ],
    [{ sending: true, waiting: 1_204 }, 'Sending 1,204 changes', 'Sending 1,204'],
    [{ waiting: 2 }, '2 changes wait', '2 wait'],
    [{ waiting: 1, durable: false }, '1 change is only in this tab', '1 waits'],
    [{ durable: false }, 'All changes saved', ''],
  ])('says of %j: %s, and %s where it is narrow', (state, text, short) => {
    expect(formatSyncStatus({ ...calm, ...state })).toMatchObject({ text, short })
  })

  it.each([
    [1, '1 change was not accepted', '1 not accepted', 'See it'],
    [1_204, '1,204 changes were not accepted', '1,204 not accepted', 'See them'],
  ])('says of %i that were refused: %s, and %s where it is narrow', (refused, text, short, see) => {
    expect(formatFailedChanges(refused)).toEqual({ text, short, see })
  })
})
