// npm run test:planted: breaks one rule after another in a copy of the project, and tells which tests notice. For whoever changes how
// often schedules and properties run, or what they play: `npm run test:planted -- HEAD~5` tells it of another commit, `--only histories`
// of the rules named so, `--engine PostgreSQL` of the tests on one engine.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * @typedef {object} PlantedFault
 * @property {string} breaks which rule
 * @property {string} file
 * @property {string} is what stands in the file, once
 * @property {string} becomes
 * @property {string[]} tests of which at least one has to fail
 * @property {boolean} [deep] whether the tests are to try as much as `npm run test:deep`, until they fail
 */

const convergence = 'src/app/http-tests/convergence.test.ts'
const repeating = 'src/app/http-tests/repeating-convergence.test.ts'
const nemesis = 'testing/nemesis/nemesis.test.ts'
const readsByRevision = 'src/app/http-tests/reads-by-revision.test.ts'
const todosByRevision = 'src/app/http-tests/todos-by-revision.test.ts'
const habitsByRevision = 'src/app/http-tests/habits-by-revision.test.ts'
const undoing = 'src/features/todos/todo/web/undo-todos.test.ts'
const occurrences = 'src/features/todos/repeat/history/server/occurrence-store.ts'

/** @type {readonly PlantedFault[]} */
export const plantedFaults = [
  {
    breaks: 'walls: the platform knows no feature',
    file: 'src/platform/database/rows/deletion.ts',
    is: "import type { Instant } from '#platform/calendar/day.ts'\n",
    becomes:
      "import type { Instant } from '#platform/calendar/day.ts'\nimport type {} from '#features/todos/todo/todo.ts'\n",
    tests: ['walls'],
  },
  {
    breaks: 'merging 4: a deletion wins only if it was later',
    file: 'src/platform/database/rows/deletion.ts',
    is: 'return at >= row.updated_at ? { deleted_at',
    becomes: 'return at >= 0 ? { deleted_at',
    tests: [convergence, 'src/features/todos/server/todo-merge.test.ts'],
  },
  {
    breaks: 'merging 10: of two presses the later one stands',
    file: 'src/features/focus/timer/timer-merge.ts',
    is: 'if (sent.at !== standing.at) return sent.at > standing.at',
    becomes: 'if (sent.at !== standing.at) return true',
    tests: ['src/features/focus/timer/timer-merge.test.ts', 'src/features/focus/timer/timer-model.test.ts'],
  },
  {
    breaks: 'merging 13: rows at one position stand in the order of their ids',
    file: 'src/platform/order/position.ts',
    is: '  return one.id < other.id ? -1 : 1\n}\n\nexport interface Placed',
    becomes: '  return 0\n}\n\nexport interface Placed',
    tests: ['src/platform/order/position.test.ts', 'src/app/http-tests/moves.test.ts'],
  },
  {
    breaks: 'merging 15: a subtask of a subtask stands alone',
    file: 'src/features/todos/todo/subtasks.ts',
    is: 'return parent?.parent_id === null ? parent : undefined',
    becomes: 'return parent',
    tests: ['src/features/todos/todo/subtasks.test.ts', convergence],
  },
  {
    breaks: 'merging 1: instants of a device whose clock is set back never go back',
    file: 'src/platform/browser/clock/device-clock.ts',
    is: '{ by, at: wall, earliest,',
    becomes: '{ by: Math.max(by, 0), at: wall, earliest,',
    tests: ['src/platform/sync/network/server-clock.test.ts', convergence],
  },
  {
    breaks: 'merging 1: provisional instants are fixed before they are sent',
    file: 'src/platform/sync/network/server-clock.ts',
    is: 'this.#ahead === undefined || this.device.isUnsure',
    becomes: 'this.#ahead === undefined',
    tests: ['src/platform/sync/network/server-clock.test.ts', convergence],
  },
  {
    breaks: 'merging 1: an instant that is still to come loses to what is done now',
    file: 'src/platform/http/row-calls/later-writes.ts',
    is: 'await mend(user, { now, becomes: now - justMade })',
    becomes: 'await undefined',
    tests: [
      'src/app/http-tests/server-clock-set-right.test.ts',
      'src/app/http-tests/server-clock-convergence.test.ts',
    ],
  },
  {
    breaks: 'merging 1: what comes too late is told',
    file: 'src/platform/sync/outbox/sender.ts',
    is: 'if (late.length === 0) return',
    becomes: 'if (late.length >= 0) return',
    tests: ['src/platform/sync/outbox/sender.test.ts', convergence],
  },
  {
    breaks: 'merging 29: what is undone counts as made right after what it takes back',
    file: 'src/platform/sync/undo/own-instants.ts',
    is: 'if (shown === undefined) return make(undefined)',
    becomes: 'if (shown !== 0) return make(undefined)',
    tests: [undoing, 'src/platform/sync/undo/plan-undo.test.ts', convergence],
  },
  {
    breaks: 'merging 29: an undo brings back nothing that another device deleted since',
    file: 'src/platform/sync/undo/makers.ts',
    is: 'own: [...own, ...this.#takenBack(parts)], parts',
    becomes: 'own: own.slice(own.length), parts',
    tests: [undoing, convergence],
  },
  {
    breaks: 'merging 18: an array of tags lets go of what was added earlier',
    file: 'src/features/todos/tags/server/todo-tag-store.ts',
    is: 'if (changedSince(tags_at, at)) {',
    becomes: 'if (changedSince(tags_at, at) && tags_at < 0) {',
    tests: ['src/features/todos/tags/server/todo-tag-store.test.ts', convergence],
  },
  {
    breaks: 'merging 18: a tag that was added before a renaming follows it',
    file: 'src/features/todos/tags/server/merged-tags.ts',
    is: 'stay.until ? stay.end : press',
    becomes: 'press',
    tests: ['src/features/todos/tags/server/todo-tag-store.test.ts', convergence],
  },
  {
    breaks: 'merging 19: the later change of an occurrence stands',
    file: occurrences,
    is: 'if (one.changed_at !== other.changed_at) return one.changed_at > other.changed_at',
    becomes: 'if (one.changed_at !== other.changed_at) return true',
    tests: [repeating, 'src/features/todos/repeat/history/server/repeating-todo-store.test.ts'],
  },
  {
    breaks: 'merging 19: the later move of an occurrence stands',
    file: occurrences,
    is: 'if (stored && changedSince(stored.moved_at, at)) {',
    becomes: 'if (stored && stored.moved_at < 0) {',
    tests: [repeating, 'src/features/todos/repeat/history/server/repeating-todo-store.test.ts'],
  },
  {
    breaks: 'merging 19: of changes at one instant the one that did more stands',
    file: occurrences,
    is: 'if (one.state !== other.state) return rank[one.state] > rank[other.state]',
    becomes: 'if (one.state !== other.state) return true',
    tests: [repeating, 'src/features/todos/repeat/history/server/repeating-todo-store.test.ts'],
  },
  {
    breaks: 'merging 19: of two ticks the one on the later day stands',
    file: occurrences,
    is: "return (one.done_on ?? '') > (other.done_on ?? '')",
    becomes: 'return true',
    tests: [repeating, 'src/features/todos/repeat/history/server/repeating-todo-store.test.ts'],
  },
  {
    breaks: 'repeats: the 31st falls on the last day of a short month',
    file: 'src/features/todos/repeat/rule/series.ts',
    is: 'found | (1 << last)',
    becomes: 'found',
    tests: ['src/features/todos/repeat/rule/series.test.ts'],
  },
  {
    breaks: 'merging 23: a start that an entry moved moves back once that is taken back',
    file: 'src/features/habits/past/server/first-entry-store.ts',
    is: 'return first_entry_day === row.first_entry_day ? {} : { first_entry_day }',
    becomes:
      "return first_entry_day === null || first_entry_day > (row.first_entry_day ?? '9') ? {} : { first_entry_day }",
    tests: ['src/features/habits/days/server/habit-merge.test.ts', convergence],
  },
  {
    breaks: 'merging 26: a tick of an amount that was made before a later change of its day enters nothing',
    file: 'src/features/habits/days/server/completion-store.ts',
    is: 'if (before && changedSince(before.changed_at, at)) {',
    becomes: 'if (before && before.changed_at < 0) {',
    tests: ['src/features/habits/days/server/habit-merge.test.ts', convergence],
  },
  {
    breaks: 'merging 24: the later change of a rhythm stands',
    file: 'src/features/habits/rhythm/server/rhythm-store.ts',
    is: "!outdoes('rhythm', before, JSON.stringify(rhythm), at) && {",
    becomes: '{',
    tests: ['src/features/habits/days/server/habit-merge.test.ts', convergence],
  },
  {
    breaks: "merging 25: of a day's sets only the latest counts",
    file: 'src/features/habits/amounts/amounts.ts',
    is: 'return b.at - a.at || (a.id < b.id ? 1 : -1)',
    becomes: 'return a.at - b.at || (a.id < b.id ? 1 : -1)',
    tests: ['src/features/habits/amounts/amounts.test.ts', convergence],
  },
  {
    breaks: 'schedules of the outbox: a change that waits is laid over every read',
    file: 'src/platform/sync/collections/overlay.ts',
    is: 'for (const queuedWrite of rest) rows = apply(rows, queuedWrite)',
    becomes: 'for (const queuedWrite of rest.slice(1)) rows = apply(rows, queuedWrite)',
    tests: ['src/platform/sync/account/sync-model.test.ts', convergence],
  },
  {
    breaks: 'histories: a change stays in the queue, or is told, when a server fails',
    file: 'src/platform/sync/outbox/sender.ts',
    is: "if (result.kind === 'done' || (isGone(result)",
    becomes: "if (result.kind === 'done' || result.status >= 500 || (isGone(result)",
    tests: [nemesis],
    deep: true,
  },
  {
    breaks: 'histories: a change that is queued stays on top of what was read before it',
    file: 'src/platform/sync/local-store/stored-state.ts',
    is: "seenBy(await tx.getAll('entries', account), collection, upTo)",
    becomes: "seenBy(await tx.getAll('entries', account), collection, record.tick)",
    tests: [nemesis],
    deep: true,
  },
  {
    breaks: 'histories: the instants of a device never go back',
    file: 'src/platform/sync/network/server-clock.ts',
    is: 'return (this.#ahead ?? 0) - this.device.setSince(this.#era)',
    becomes: 'return this.#ahead ?? 0',
    tests: [nemesis],
    deep: true,
  },
  {
    breaks: 'histories: of two changes the later one stands, whichever arrives first',
    file: 'src/features/todos/server/todo-store.ts',
    is: 'if (changedSince(row.completed_changed_at, at) || wasRepeating(row, at)) {',
    becomes: 'if (wasRepeating(row, at)) {',
    tests: [nemesis],
    deep: true,
  },
  {
    breaks: 'histories: a restored task has its subtasks again',
    file: 'src/features/todos/todo/server/subtask-store.ts',
    is: ".where('parents.deleted_at', 'is not', null)\n      // `updated_at`",
    becomes: ".whereRef('parents.deletion_changed_at', '>', 'parents.created_at')\n      // `updated_at`",
    tests: [nemesis],
    deep: true,
  },
  {
    breaks: 'revisions: a device is told which rows are gone',
    file: 'src/platform/http/responses/written.ts',
    is: 'const left = ids.filter((id) => !present.has(id))',
    becomes: 'const left = ids.slice(1).filter((id) => !present.has(id))',
    tests: [readsByRevision, todosByRevision, habitsByRevision],
  },
  {
    breaks: 'revisions: a device is told of the first change after what it has',
    file: 'src/platform/database/revisions/change-log.ts',
    is: 'for (const id of ids ?? []) changed.add(id)',
    becomes: 'if (change.before !== since) for (const id of ids ?? []) changed.add(id)',
    tests: [readsByRevision, todosByRevision, habitsByRevision],
  },
  {
    breaks: 'revisions: after midnight a device reads everything',
    file: 'src/platform/http/responses/response-cache.ts',
    is: 'if (!has.endsWith(restOfTag)) return undefined\n    const since = has.slice(0, -restOfTag.length)',
    becomes: 'const since = has.slice(0, 36)',
    tests: [todosByRevision, habitsByRevision],
  },
  {
    breaks: 'revisions: what a purge leaves nobody able to find out is told before',
    file: 'src/features/todos/server/todo-store.ts',
    is: 'if (is.deleted_at !== null && is.deleted_at < now - surelyKept) anyRowChanged(tx, todoRows.collection)',
    becomes: '',
    tests: [todosByRevision],
  },
  {
    breaks: 'revisions: a task that loses a subtask is told',
    file: 'src/features/todos/server/todo-store.ts',
    is: 'rowsChanged(tx, todoRows.collection, [row.parent_id])',
    becomes: 'rowsChanged(tx, todoRows.collection, [])',
    tests: [todosByRevision],
  },
  {
    breaks: 'revisions: changes are stored only behind what they are changes of',
    file: 'src/platform/sync/local-store/late-store.ts',
    is: 'if (before.tag !== since ||',
    becomes: 'if (',
    tests: [
      'src/platform/sync/local-store/stored-changes.test.ts',
      'src/platform/sync/account/sync-model.test.ts',
    ],
  },
]

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * @param {string} commit
 * @param {{ only?: string, engine?: string }} wishes
 */
function tryAll(commit, { only = '', engine = '' }) {
  const wished = plantedFaults.filter(({ breaks }) => breaks.startsWith(only))
  const copy = mkdtempSync(join(tmpdir(), 'daymark-planted-'))
  try {
    execFileSync('git', ['clone', '--quiet', root, copy])
    execFileSync('git', ['checkout', '--quiet', commit], { cwd: copy })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const missed = wished.filter((fault) => !isCaught(fault, copy, engine))
    say(`\n${wished.length - missed.length} of ${wished.length} planted faults were caught.`)
    return missed.length === 0
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/**
 * @param {PlantedFault} fault
 * @param {string} copy
 * @param {string} engine
 */
function isCaught({ breaks, file, is, becomes, tests, deep = false }, copy, engine) {
  const path = join(copy, file)
  const right = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    right.replace(is, () => becomes),
  )
  const by = tests.flatMap((test) => {
    const output = outputOfFailure(test, copy, deep, engine)
    if (output === undefined) return []
    const [history] = /history \d+ of \d+ on \w+/.exec(output) ?? []
    return [history === undefined ? test : `${test} (${history})`]
  })
  writeFileSync(path, right)
  say(by.length > 0 ? `caught  ${breaks}: ${by.join(', ')}` : `MISSED  ${breaks}`)
  return by.length > 0
}

/**
 * What a test writes when it fails; undefined if it passes.
 * @param {string} test
 * @param {string} cwd
 * @param {boolean} deep
 * @param {string} engine
 */
function outputOfFailure(test, cwd, deep, engine) {
  const args =
    test === 'walls'
      ? ['scripts/checks/check-walls.mjs']
      : ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...(engine === '' ? [] : ['-t', engine]), test]
  const env = { ...process.env, NO_COLOR: '1', DAYMARK_SHRINK: 'off', ...(deep && { DAYMARK_DEEP: '1' }) }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  return status === 0 ? undefined : stdout + stderr
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, engine: { type: 'string' } },
  })
  process.exitCode = tryAll(positionals[0] ?? 'HEAD', values) ? 0 : 1
}
