import { expect, test } from 'vitest'
import { formatFailures, outcomesOfPlaywright, outcomesOfVitest } from './test-outcomes.mjs'

test('a test that fails now and then is told with how often, and why', () => {
  const run = (status: string) => ({
    testResults: [
      {
        name: 'a.test.ts',
        status,
        message: '',
        assertionResults: [
          {
            ancestorTitles: ['a'],
            title: 'flakes',
            status,
            failureMessages: status === 'failed' ? ['Timed out\n at x'] : [],
          },
          { ancestorTitles: ['a'], title: 'works', status: 'passed' },
          { ancestorTitles: ['a'], title: 'is left out', status: 'skipped' },
        ],
      },
    ],
  })
  expect(formatFailures(outcomesOfVitest([run('failed'), run('passed'), run('failed')]))).toEqual([
    '2 of 3: a > flakes',
    '    Timed out',
    '2 tests, 1 of which failed at least once',
  ])
})

test('repeated browser tests are counted by test, and what fails outside of them is told too', () => {
  const spec = (line: number, statuses: string[]) => ({
    file: 'a.spec.ts',
    line,
    title: 'opens',
    tests: statuses.map((status) => ({
      results: [{ status, ...(status === 'passed' ? {} : { error: { message: 'Not there' } }) }],
    })),
  })
  const report = {
    errors: [{ message: 'No server' }],
    suites: [
      { specs: [spec(1, ['passed', 'passed'])], suites: [{ specs: [spec(5, ['timedOut', 'passed'])] }] },
    ],
  }
  expect(formatFailures(outcomesOfPlaywright([report]))).toEqual([
    '1 of 1: outside the tests',
    '    No server',
    '1 of 2: a.spec.ts:5 > opens',
    '    Not there',
    '3 tests, 2 of which failed at least once',
  ])
})

test('a file that does not load is told as failed', () => {
  const report = {
    testResults: [{ name: 'a.test.ts', status: 'failed', message: 'Boom\n at x', assertionResults: [] }],
  }
  expect(formatFailures(outcomesOfVitest([report]))[0]).toBe('1 of 1: a.test.ts')
})
