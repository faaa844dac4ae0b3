// What failed in a run of all tests is run again alone, five times. A test that fails once more fails the run; one that passes all
// five times failed by chance: it is named, and a run with more than three of those fails too.

export const triesAlone = 5
export const mostFlaky = 3
/** A history that fails counts even if it passes alone: with real processes, a seed repeats the acts but not every interleaving. */
const countedAtOnce = ['testing/nemesis/nemesis.test.ts']

/**
 * @typedef {object} FailedTest
 * @property {'vitest' | 'playwright'} runner
 * @property {string} file as the runner takes it, for Playwright with the line
 * @property {string[]} titles of the suites around it, and its own
 * @property {string} [project] of Playwright
 */

/**
 * @param {readonly FailedTest[]} failures
 * @param {(test: FailedTest) => Promise<boolean>} passesAlone runs it `triesAlone` times
 * @param {(line: string) => void} say
 * @returns {Promise<{ flaky: string[], lines: string[] }>} the names of those that failed by chance
 */
export async function runFailedAgain(failures, passesAlone, say) {
  if (failures.length > mostFlaky) {
    const lines = [`More than ${mostFlaky} tests failed, so the run fails, and none was run again alone.`]
    return { flaky: [], lines }
  }
  const flaky = []
  const lines = []
  for (const test of failures) {
    const name = nameOf(test)
    if (countedAtOnce.includes(test.file)) {
      lines.push(`Failed, and counts at once: ${name}`)
      continue
    }
    say(`Again alone, ${triesAlone} times: ${name} ...`)
    if (await passesAlone(test)) {
      flaky.push(name)
      lines.push(`flaky: ${name}`)
    } else {
      lines.push(`Failed again alone: ${name}`)
    }
  }
  return { flaky, lines }
}

/** @param {FailedTest} test */
export function nameOf({ file, titles }) {
  return [file, ...titles].join(' > ')
}

/**
 * The arguments with which its runner runs this test and no other.
 * @param {FailedTest} test
 */
export function argumentsAlone({ runner, file, titles, project }) {
  if (runner === 'vitest') return ['run', file, '--testNamePattern', `^${titles.map(escaped).join(' > ')}$`]
  const grep = `${titles.map(escaped).join(' ')}$`
  return ['test', file, '--grep', grep, ...(project === undefined ? [] : ['--project', project])]
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
