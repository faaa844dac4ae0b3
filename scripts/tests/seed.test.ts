import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomBelow, runs } from '#testing/runs.ts'
import { seedOfRun, seedOfTest, takeSeed } from '#testing/seed.ts'

const here = 'scripts/tests/seed.test.ts'

test('one commit tries the same cases each time, another commit other ones', () => {
  const first = seedOfRun({ env: {}, commit: '179c884b' })
  expect(seedOfRun({ env: {}, commit: '179c884b' })).toBe(first)
  expect(seedOfRun({ env: {}, commit: '86848070' })).not.toBe(first)
  expect(seedOfRun({ env: {}, commit: undefined })).toBe(seedOfRun({ env: {}, commit: undefined }))
})

test('every test tries cases of its own', () => {
  const seeds = [
    seedOfTest(1, 'a.test.ts', 'sorts'),
    seedOfTest(1, 'a.test.ts', 'sorts on PostgreSQL'),
    seedOfTest(1, 'b.test.ts', 'sorts'),
    seedOfTest(2, 'a.test.ts', 'sorts'),
  ]
  expect(new Set(seeds).size).toBe(seeds.length)
  expect(seedOfTest(1, 'a.test.ts', 'sorts')).toBe(seeds[0])
})

test('a deep run tries new cases each time, and says what repeats them', () => {
  const said: string[] = []
  const deep = () => takeSeed({ DAYMARK_DEEP: '1' }, (line) => said.push(line) > 0)
  const [one, another] = [deep(), deep()]
  expect(another).not.toBe(one)
  expect(said).toEqual([one, another].map((seed) => expect.stringContaining(`DAYMARK_SEED=${seed} `)))
  expect(takeSeed({ DAYMARK_DEEP: '1', DAYMARK_SEED: one }, () => true)).toBe(one)
})

test('what a property and a schedule try follows from the seed of the run', () => {
  const seed = seedOfTest(Number(process.env.DAYMARK_SEED), here, expect.getState().currentTestName ?? '')
  expect(tried()).toEqual(tried({ seed }))
  const [below, same] = [randomBelow(), randomBelow(seed)]
  expect([below(1_000), below(1_000)]).toEqual([same(1_000), same(1_000)])
})

function tried(parameters: { seed?: number } = {}): number[] {
  const numbers: number[] = []
  const remember = fc.property(fc.nat(), (number) => void numbers.push(number))
  fc.assert(remember, { numRuns: runs(100, 20), ...parameters })
  return numbers
}
