import { expect, test } from 'vitest'
import { closing, readPlaywright, readVitest } from './test-counts.mjs'

const relaxed = { requirePostgres: false, checksFailed: false }
const strict = { requirePostgres: true, checksFailed: false }

test('the closing line adds up all suites', () => {
  const suites = [
    readVitest(vitestReport(['a', 'passed'], ['b', 'skipped'], ['c', 'todo']), 0),
    readPlaywright(playwrightReport({ expected: 5, skipped: 2 }), 0),
  ]
  expect(closing(suites, relaxed)).toEqual({ lines: ['6 passed, 0 failed, 4 skipped'], failed: 0 })
})

test('a failed test fails the run, in either runner', () => {
  expect(closing([readVitest(vitestReport(['a', 'passed'], ['b', 'failed']), 1)], relaxed).failed).toBe(1)
  expect(closing([readPlaywright(playwrightReport({ expected: 1, unexpected: 2 }), 1)], relaxed).failed).toBe(
    2,
  )
})

test('whoever reads only the end learns which tests failed', () => {
  const browser = {
    suites: [
      {
        suites: [
          {
            specs: [
              { file: 'a.spec.ts', line: 7, title: 'opens', tests: [{ status: 'unexpected' }] },
              { file: 'a.spec.ts', line: 9, title: 'closes', tests: [{ status: 'expected' }] },
            ],
          },
        ],
        specs: [{ file: 'a.spec.ts', line: 20, title: 'moves', tests: [{ status: 'flaky' }] }],
      },
    ],
    ...playwrightReport({ expected: 1, unexpected: 1, flaky: 1 }),
  }
  const suites = [readVitest(vitestReport(['todos', 'failed']), 1), readPlaywright(browser, 1)]
  expect(closing(suites, relaxed).lines).toEqual([
    'Failed: todos > works',
    'Failed: a.spec.ts:20 > moves',
    'Failed: a.spec.ts:7 > opens',
    '1 passed, 3 failed, 0 skipped',
  ])
})

test('a test that passes only at the second try has failed', () => {
  expect(readPlaywright(playwrightReport({ expected: 1, flaky: 1 }), 0).failed).toBe(1)
})

test('a runner that crashes before it reports is a failure', () => {
  expect(closing([readVitest(undefined, 'SIGSEGV')], relaxed)).toEqual({
    lines: [
      'The unit, server and store tests ended without a report (SIGSEGV).',
      '0 passed, 1 failed, 0 skipped',
    ],
    failed: 1,
  })
  expect(readPlaywright(undefined, 1).failed).toBe(1)
})

test('a run of no test is a failure', () => {
  expect(readVitest(vitestReport(), 0).failed).toBe(1)
  expect(readVitest(vitestReport(['a', 'skipped']), 0).failed).toBe(1)
  expect(readPlaywright(playwrightReport({}), 0).failed).toBe(1)
})

test('a bad end is a failure even when every test passed', () => {
  expect(readVitest(vitestReport(['a', 'passed']), 1).failed).toBe(1)
  expect(readPlaywright(playwrightReport({ expected: 3 }), 'SIGTERM').failed).toBe(1)
})

test('a file that does not load is a failure beside the tests that passed elsewhere', () => {
  const report = vitestReport(['a', 'passed'])
  report.testResults.push({
    name: 'x.test.ts',
    status: 'failed',
    message: 'Boom\n  at x',
    assertionResults: [],
  })
  expect(readVitest(report, 1)).toMatchObject({
    failed: 1,
    remarks: ['x.test.ts failed outside its tests: Boom'],
  })
})

test('an error outside the browser tests is a failure with its message', () => {
  const report = playwrightReport({ expected: 1, errors: [{ message: 'web server did not start\nlog' }] })
  expect(readPlaywright(report, 1)).toMatchObject({ failed: 1, remarks: ['web server did not start'] })
})

const halfSkipped = vitestReport(['todos on SQLite', 'passed'], ['todos on PostgreSQL', 'skipped'])

test('a skipped PostgreSQL half is said loudly and does not fail the run of a person', () => {
  const { lines, failed } = closing([readVitest(halfSkipped, 0)], relaxed)
  expect(failed).toBe(0)
  expect(lines[0]).toContain('NOT TESTED ON POSTGRESQL: 1 tests')
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped')
})

test('a skipped PostgreSQL half fails where it is required', () => {
  const { lines, failed } = closing([readVitest(halfSkipped, 0)], strict)
  expect(failed).toBe(1)
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped')
})

test('a test that lacks another tool is skipped without blaming PostgreSQL', () => {
  const dump = vitestReport(['todos on PostgreSQL', 'passed'], ['with PostgreSQL', 'skipped'])
  expect(closing([readVitest(dump, 0)], strict)).toEqual({
    lines: ['1 passed, 0 failed, 1 skipped'],
    failed: 0,
  })
})

test('a PostgreSQL half that is not even mentioned fails where it is required', () => {
  expect(closing([readVitest(vitestReport(['todos on SQLite', 'passed']), 0)], strict).failed).toBe(1)
  expect(closing([readVitest(vitestReport(['todos on PostgreSQL', 'passed']), 0)], strict).failed).toBe(0)
})

test('checks that failed before the tests fail the run', () => {
  const suites = [readVitest(vitestReport(['a', 'passed']), 0)]
  expect(closing(suites, { requirePostgres: false, checksFailed: true }).lines.at(-1)).toBe(
    '1 passed, 1 failed, 0 skipped',
  )
})

type Outcome = 'passed' | 'failed' | 'skipped' | 'todo'

function vitestReport(...tests: [suite: string, status: Outcome][]) {
  const count = (outcome: Outcome) => tests.filter(([, status]) => status === outcome).length
  return {
    numTotalTests: tests.length,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    testResults: [
      {
        name: 'some.test.ts',
        status: count('failed') > 0 ? 'failed' : 'passed',
        message: '',
        assertionResults: tests.map(([suite, status]) => ({
          ancestorTitles: [suite],
          title: 'works',
          status,
        })),
      },
    ],
  }
}

interface Stats {
  expected?: number
  unexpected?: number
  flaky?: number
  skipped?: number
  errors?: { message: string }[]
}

function playwrightReport({ expected = 0, unexpected = 0, flaky = 0, skipped = 0, errors = [] }: Stats) {
  return { stats: { expected, unexpected, flaky, skipped }, errors }
}
