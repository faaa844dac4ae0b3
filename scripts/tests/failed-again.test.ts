import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { argumentsAlone, type FailedTest, mostFlaky, runFailedAgain } from './failed-again.mjs'

const failed = (title: string): FailedTest => ({ runner: 'vitest', file: 'a.test.ts', titles: ['a', title] })
const quietly = () => {}

test('a test that fails again alone fails the run, and is named', async () => {
  expect(await runFailedAgain([failed('broken')], async () => false, quietly)).toEqual({
    flaky: [],
    lines: ['Failed again alone: a.test.ts > a > broken'],
  })
})

test('a test that passes alone every time is named as flaky', async () => {
  const passesAlone = async ({ titles }: FailedTest) => titles.includes('by chance')
  expect(await runFailedAgain([failed('by chance'), failed('broken')], passesAlone, quietly)).toEqual({
    flaky: ['a.test.ts > a > by chance'],
    lines: ['flaky: a.test.ts > a > by chance', 'Failed again alone: a.test.ts > a > broken'],
  })
})

test('a history that fails counts at once, since it may not fail the same way again', async () => {
  const history = { ...failed('lose nothing'), file: 'testing/nemesis/nemesis.test.ts' }
  expect(existsSync(history.file)).toBe(true)
  expect(await runFailedAgain([history], async () => true, quietly)).toEqual({
    flaky: [],
    lines: ['Failed, and counts at once: testing/nemesis/nemesis.test.ts > a > lose nothing'],
  })
})

test('more failures than may be chance are not run again', async () => {
  const many = Array.from({ length: mostFlaky + 1 }, (_, place) => failed(String(place)))
  const tried: FailedTest[] = []
  const passesAlone = async (one: FailedTest) => tried.push(one) > 0
  expect((await runFailedAgain(many, passesAlone, quietly)).flaky).toEqual([])
  expect(tried).toEqual([])
  expect((await runFailedAgain(many.slice(1), passesAlone, quietly)).flaky).toHaveLength(mostFlaky)
})

test('a runner is told of one test, whatever its title is made of', () => {
  expect(argumentsAlone(failed('takes 1+1 (or 2)?'))).toEqual([
    'run',
    'a.test.ts',
    '--testNamePattern',
    '^a > takes 1\\+1 \\(or 2\\)\\?$',
  ])
  const inBrowser = {
    ...failed('opens'),
    runner: 'playwright' as const,
    file: 'a.spec.ts:7',
    project: 'shell',
  }
  expect(argumentsAlone(inBrowser)).toEqual([
    'test',
    'a.spec.ts:7',
    '--grep',
    'a opens$',
    '--project',
    'shell',
  ])
})

describe('what stands in a suite (1+1)', () => {
  test('is found by its runner, and nothing else is', () => {
    const titles = ['what stands in a suite (1+1)', 'is found by its runner, and nothing else is']
    const [, ...args] = argumentsAlone({
      runner: 'vitest',
      file: 'scripts/tests/failed-again.test.ts',
      titles,
    })
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    const listed = execFileSync(process.execPath, [vitest, 'list', ...args], { encoding: 'utf8' })
    expect(listed.trim().split('\n')).toEqual([expect.stringContaining(titles.join(' > '))])
  })
})
