// How often each test failed in several runs of one file, from the runners' reports.

/** @typedef {{ name: string, runs: number, failures: string[] }} Outcome `failures`: the first line of each */

/**
 * @param {readonly any[]} reports of vitest's json reporter
 * @returns {Outcome[]}
 */
export function outcomesOfVitest(reports) {
  const outcomes = new Map()
  for (const { testResults } of reports) {
    for (const { name: file, status, message, assertionResults } of testResults) {
      for (const { ancestorTitles, title, status, failureMessages = [] } of assertionResults) {
        if (status !== 'passed' && status !== 'failed') continue
        note(outcomes, [...ancestorTitles, title].join(' > '), status === 'failed', failureMessages[0])
      }
      if (status === 'failed' && assertionResults.length === 0) note(outcomes, file, true, message)
    }
  }
  return [...outcomes.values()]
}

/**
 * @param {readonly any[]} reports of Playwright's json reporter
 * @returns {Outcome[]}
 */
export function outcomesOfPlaywright(reports) {
  const outcomes = new Map()
  for (const { suites, errors } of reports) {
    for (const { message } of errors) note(outcomes, 'outside the tests', true, message)
    noteSpecs(outcomes, suites)
  }
  return [...outcomes.values()]
}

/**
 * The tests that failed, most often first, and last how many tests there were.
 * @param {readonly Outcome[]} outcomes
 */
export function formatFailures(outcomes) {
  const failed = outcomes.filter(({ failures }) => failures.length > 0)
  return [
    ...failed
      .toSorted((a, b) => b.failures.length / b.runs - a.failures.length / a.runs)
      .flatMap(({ name, runs, failures }) => [
        `${failures.length} of ${runs}: ${name}`,
        ...[...new Set(failures)].map((line) => `    ${line}`),
      ]),
    `${outcomes.length} tests, ${failed.length} of which failed at least once`,
  ]
}

/**
 * @param {Map<string, Outcome>} outcomes
 * @param {any[]} suites
 */
function noteSpecs(outcomes, suites) {
  for (const { specs = [], suites: inner = [] } of suites) {
    for (const { file, line, title, tests } of specs) {
      for (const { results } of tests) {
        for (const { status, error } of results) {
          if (status !== 'skipped')
            note(outcomes, `${file}:${line} > ${title}`, status !== 'passed', error?.message)
        }
      }
    }
    noteSpecs(outcomes, inner)
  }
}

/**
 * @param {Map<string, Outcome>} outcomes
 * @param {string} name
 * @param {boolean} failed
 * @param {string} [message]
 */
function note(outcomes, name, failed, message = 'no message') {
  const outcome = outcomes.get(name) ?? { name, runs: 0, failures: [] }
  outcome.runs += 1
  if (failed) outcome.failures.push(message.split('\n')[0] ?? '')
  outcomes.set(name, outcome)
}
