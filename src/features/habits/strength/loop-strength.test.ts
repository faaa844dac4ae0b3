import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../testing/runs.ts'
import { type LoopDay, type LoopHabit, loopScores, loopStrength } from './loop-strength.ts'

const everyDay: LoopHabit = { numerator: 1, denominator: 1, target: null }
const repeat = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)

describe("Loop's own numbers, as its tests state them, to 1e-6", () => {
  test('twenty days in a row', () => {
    const scores = loopScores(everyDay, repeat(20, 'done'))
    const stated = { 1: 0.051922, 2: 0.101149, 3: 0.14782, 7: 0.311495, 13: 0.5, 19: 0.636894, 20: 0.655747 }
    for (const [days, score] of Object.entries(stated)) expect(scores[Number(days) - 1]).toBeCloseTo(score, 5)
    expect(Math.abs((scores[19] ?? 0) - 0.655747)).toBeLessThan(1e-6)
  })

  test('twenty days of which three were skipped, each with the score of the day before', () => {
    const days = repeat<LoopDay>(20, 'done')
    for (const back of [5, 10, 11]) days[19 - back] = 'skipped'
    expect(Math.abs((loopScores(everyDay, days)[19] ?? 0) - 0.596033)).toBeLessThan(1e-6)
  })

  test('6 days a week at 100 %, then four skipped days: 100, 99, 98, 98, 97, as its issue 1695 tells', () => {
    const sixAWeek: LoopHabit = { numerator: 6, denominator: 7, target: null }
    const after = [0, 1, 2, 3, 4].map((done) =>
      loopStrength(sixAWeek, [
        ...repeat<LoopDay>(700, 'done'),
        ...repeat<LoopDay>(4, 'skipped'),
        ...repeat<LoopDay>(done, 'done'),
      ]),
    )
    expect(after.map(Math.round)).toEqual([100, 99, 98, 98, 97])
  })

  test('two days, every second day', () =>
    expect(
      Math.abs(
        loopStrength({ numerator: 1, denominator: 2, target: null }, ['done', 'done']) / 100 - 0.054816,
      ),
    ).toBeLessThan(1e-6))

  test('two days of an amount, every second day', () =>
    expect(
      Math.abs(
        loopStrength(
          { numerator: 1, denominator: 2, target: { at: 'least', amount: 2_000 } },
          [2_000, 2_000],
        ) /
          100 -
          0.072631,
      ),
    ).toBeLessThan(1e-6))

  test('half of an amount, for 500 days, is half', () =>
    expect(
      loopStrength(
        { numerator: 1, denominator: 1, target: { at: 'least', amount: 2_000 } },
        repeat(500, 1_000),
      ),
    ).toBeCloseTo(50, 4))
})

test('agrees with the whole formula written out as one sum', () => {
  const someDay = fc.oneof(
    fc.constantFrom<LoopDay[]>('done', 'skipped', null),
    fc.integer({ min: 0, max: 20 }),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 23 }),
      fc.option(fc.record({ at: fc.constantFrom('least', 'most'), amount: fc.integer({ min: 0, max: 20 }) })),
      fc.array(someDay, { maxLength: 60 }),
      (numerator, more, target, sent) => {
        const denominator = numerator + more
        const days = sent.map((day) =>
          typeof day === 'number' && !target ? 'done' : day === 'done' && target ? 9 : day,
        )
        const wide = !target && more > 0 ? 2 : 1
        const window = more === 0 ? 1 : wide * denominator
        const asked = more === 0 ? 1 : wide * numerator
        const m = 0.5 ** (Math.sqrt(numerator / denominator) / 13)
        // score = m^n · first + Σ (1 − m) · m^(n − 1 − k) · share of the k-th day that was not skipped
        const shares: number[] = []
        for (let at = 0; at < days.length; at += 1) {
          if (days[at] === 'skipped') continue
          let sum = 0
          for (let back = 0; back < window && at - back >= 0; back += 1) {
            const day = days[at - back]
            if (target) sum += typeof day === 'number' ? day : day === 'skipped' ? 3 : 0
            else sum += day === 'done' ? 1 : 0
          }
          if (!target) shares.push(Math.min(1, sum / asked))
          else if (target.amount === 0) shares.push(target.at === 'least' ? 1 : sum > 0 ? 0 : 1)
          else if (target.at === 'least') shares.push(Math.min(1, sum / target.amount))
          else shares.push(Math.max(0, Math.min(1, 2 - sum / target.amount)))
        }
        const first = target?.at === 'most' ? 1 : 0
        const n = shares.length
        const score = shares.reduce(
          (sum, share, k) => sum + (1 - m) * m ** (n - 1 - k) * share,
          first * m ** n,
        )
        expect(loopStrength({ numerator, denominator, target }, days)).toBeCloseTo(
          days.length === 0 ? 0 : 100 * score,
          8,
        )
      },
    ),
    { numRuns: runs(20_000, 500) },
  )
})
