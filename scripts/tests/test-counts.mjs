// Combines the runners' reports into the closing lines of npm test, which name what failed, because the output above is long. A
// runner that reports nothing has failed.
import { relative } from 'node:path'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} postgresSkipped those of `skipped` that need a PostgreSQL
 * @property {number} postgresPassed
 * @property {string[]} remarks what the numbers alone don't say
 * @property {import('./failed-again.mjs').FailedTest[]} failedTests those of `failed` that can be run again alone
 */

/**
 * @param {any} report of vitest's json reporter; undefined if it wrote none
 * @param {number | string} exit
 * @returns {Counts}
 */
export function readVitest(report, exit) {
  if (report === undefined) return crashed('The unit, server and store tests', exit)
  const remarks = []
  const failedTests = []
  let failed = report.numFailedTests
  for (const file of report.testResults) {
    const failedInside = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
    for (const test of failedInside) {
      const titles = [...test.ancestorTitles, test.title]
      remarks.push(`Failed: ${titles.join(' > ')}`)
      failedTests.push({
        runner: /** @type {const} */ ('vitest'),
        file: relative(process.cwd(), file.name),
        titles,
      })
    }
    // A file that doesn't even load has no failing test in it.
    if (file.status === 'failed' && failedInside.length === 0) {
      failed += 1
      remarks.push(
        `${relative(process.cwd(), file.name)} failed outside its tests: ${firstLine(file.message)}`,
      )
    }
  }
  const tests = report.testResults.flatMap((/** @type {any} */ file) => file.assertionResults)
  // The PostgreSQL halves of describeEachEngine; other tests may be skipped because another tool is missing.
  const onPostgres = tests.filter((/** @type {any} */ test) =>
    test.ancestorTitles.some((/** @type {string} */ title) => title.endsWith(' on PostgreSQL')),
  )
  return unlessSilent('The unit, server and store tests', exit, {
    passed: report.numPassedTests,
    failed,
    skipped: report.numTotalTests - report.numPassedTests - report.numFailedTests,
    postgresSkipped: onPostgres.filter((/** @type {any} */ test) => test.status === 'skipped').length,
    postgresPassed: onPostgres.filter((/** @type {any} */ test) => test.status === 'passed').length,
    remarks,
    failedTests,
  })
}

/**
 * @param {any} report of Playwright's json reporter; undefined if it wrote none
 * @param {number | string} exit
 * @returns {Counts}
 */
export function readPlaywright(report, exit) {
  if (report === undefined) return crashed('The browser tests', exit)
  const { expected, unexpected, flaky, skipped } = report.stats
  const failedTests = failedIn(report.suites ?? [])
  return unlessSilent('The browser tests', exit, {
    passed: expected,
    failed: unexpected + flaky + report.errors.length,
    skipped,
    postgresSkipped: 0,
    postgresPassed: 0,
    remarks: [
      ...failedTests.map(({ file, titles }) => `Failed: ${[file, ...titles].join(' > ')}`),
      ...report.errors.map((/** @type {any} */ error) => firstLine(error.message ?? '')),
    ],
    failedTests,
  })
}

/**
 * @param {any[]} suites
 * @param {string[]} around the titles of the suites that these are in
 * @returns {import('./failed-again.mjs').FailedTest[]} also those that passed at the second try
 */
function failedIn(suites, around = []) {
  return suites.flatMap(({ title, file, specs = [], suites: inner = [] }) => {
    // The outermost suite is the file.
    const titles = title === undefined || title === file ? around : [...around, title]
    const failed = specs.flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ { status }) => status === 'unexpected' || status === 'flaky')
        .map((/** @type {any} */ { projectName }) => ({
          runner: /** @type {const} */ ('playwright'),
          file: `${spec.file}:${spec.line}`,
          titles: [...titles, spec.title],
          project: projectName,
        })),
    )
    return [...failed, ...failedIn(inner, titles)]
  })
}

/**
 * @param {Counts[]} suites
 * @param {object} options
 * @param {boolean} options.requirePostgres whether tests that found no PostgreSQL count as failed
 * @param {boolean} options.checksFailed whether `npm run check` had failed before
 * @param {{ flaky: string[], lines: string[] }} [options.again] what became of failed tests alone; the flaky ones passed
 * @returns {{ lines: string[], failed: number }} the remarks, and last `N passed, N failed, N skipped`
 */
export function closing(suites, { requirePostgres, checksFailed, again }) {
  /** @param {'passed' | 'failed' | 'skipped' | 'postgresSkipped' | 'postgresPassed'} name */
  const sum = (name) => suites.reduce((total, suite) => total + suite[name], 0)
  const lines = [...suites.flatMap((suite) => suite.remarks), ...(again?.lines ?? [])]
  const flaky = again?.flaky.length ?? 0
  let failed = sum('failed') - flaky
  let skipped = sum('skipped')

  const missed = sum('postgresSkipped')
  if (missed > 0) {
    lines.push(
      `!!! NOT TESTED ON POSTGRESQL: ${missed} tests were skipped, because no PostgreSQL server was to be had.`,
      '!!! Set TEST_POSTGRES_URL to one, or install its binaries (Debian: apt-get install postgresql).',
    )
  }
  if (requirePostgres && missed > 0) {
    lines.push('!!! Here they are required (DAYMARK_REQUIRE_POSTGRES=1), so they count as failed.')
    failed += missed
    skipped -= missed
  } else if (requirePostgres && sum('postgresPassed') === 0) {
    lines.push('!!! Tests on PostgreSQL are required here (DAYMARK_REQUIRE_POSTGRES=1), and none was run.')
    failed += 1
  }
  if (checksFailed) {
    lines.push('npm run check failed; what it found stands above the tests.')
    failed += 1
  }
  lines.push(`${sum('passed') + flaky} passed, ${failed} failed, ${skipped} skipped`)
  return { lines, failed }
}

/**
 * @param {string} name
 * @param {number | string} exit
 * @returns {Counts}
 */
function crashed(name, exit) {
  const remarks = [`${name} ended without a report (${exit}).`]
  return { passed: 0, failed: 1, skipped: 0, postgresSkipped: 0, postgresPassed: 0, remarks, failedTests: [] }
}

/**
 * A run without tests is a failure too, and so is one that ends with an error although no test failed.
 * @param {string} name
 * @param {number | string} exit
 * @param {Counts} counts
 * @returns {Counts}
 */
function unlessSilent(name, exit, counts) {
  if (counts.failed > 0) return counts
  if (counts.passed === 0) return { ...counts, failed: 1, remarks: [`${name}: not one was run.`] }
  if (exit !== 0)
    return { ...counts, failed: 1, remarks: [`${name} ended with ${exit} though no test failed.`] }
  return counts
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n')[0] ?? ''
}
