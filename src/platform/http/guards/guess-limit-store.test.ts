import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { admitGuess, guessedRight, waitAfter } from './guess-limit-store.ts'

it('five wrong guesses are free; the next ones wait twice as long each, up to a minute', () => {
  const seconds = Array.from({ length: 13 }, (_, wrong) => waitAfter(wrong) / 1000)
  expect(seconds).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])
})

it('an attack that goes on is slowed down further, to a quarter of an hour', () => {
  expect([100, 500, 1_500, 1_000_000].map((wrong) => waitAfter(wrong) / 1000)).toEqual([60, 300, 900, 900])
})

describeEachEngine('a larger network with a turn for each of its smaller ones', (openEmpty) => {
  const noon = Date.parse('2026-11-20T12:00:00.000Z')
  const hour = 60 * 60_000
  const target = 'the password of Ada'

  it('guesses no more than 240 times an hour, while all others still have their turns', async () => {
    const database = await openEmpty()
    const guess = (place: number, at: number, network = '2001:db8:1::/48') =>
      admitGuess(database, { target, guesser: `${network}, ${place}`, network }, at)
    const guessers = Array.from({ length: 250 }, (_, place) => place)
    const first = await inTurn(guessers, (place) => guess(place, noon))
    expect(first.filter((wait) => wait === 0)).toHaveLength(5)
    expect(await guess(1, noon, '2001:db8:2::/48')).toBe(1_000)
    const second = await inTurn(guessers.slice(5), (place) => guess(place, noon + 1_000))
    expect(second.filter((wait) => wait === 0)).toHaveLength(235)
    expect(second.slice(235)).toEqual(Array.from({ length: 10 }, () => hour - 1_000))
    expect(await guess(1, noon + 1_000, '2001:db8:2::/48')).toBe(0)
  })

  it('is not counted what it guessed rightly', async () => {
    const database = await openEmpty()
    const guess = { target, guesser: 'a /64', network: 'a /48' }
    for (let count = 1; count <= 250; count += 1) {
      expect(await admitGuess(database, guess, noon)).toBe(0)
      await guessedRight(database, guess)
    }
  })
})

describeEachEngine('after the clock was set back by two days', (openEmpty) => {
  it('whoever mistyped while it was ahead waits no longer than others', async () => {
    const database = await openEmpty()
    const noon = Date.parse('2026-11-20T12:00:00.000Z')
    const guess = { target: 'the password of Ada', guesser: 'Ada at home' }
    const ahead = noon + 2 * 24 * 60 * 60_000
    for (let wrong = 0; wrong < 5; wrong++) await admitGuess(database, guess, ahead)
    expect(await admitGuess(database, guess, ahead)).toBe(1_000)
    expect(await admitGuess(database, guess, noon)).toBe(0)
    expect(await admitGuess(database, guess, noon)).toBe(2_000)
  })
})

async function inTurn<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const responses: R[] = []
  for (const one of all) responses.push(await ask(one))
  return responses
}
