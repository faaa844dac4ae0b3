// Writes docs/strength.md: twelve histories with the strength that Loop Habit Tracker shows, and ours, each with its sum.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { numbersOf, resultsSince } from '#features/habits/past/habit-summary.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { loopDecay, loopScores } from '#features/habits/strength/loop-strength.ts'
import { strengthSum } from '#features/habits/strength/strength.ts'
import { addDays, dayNumber } from '#platform/calendar/day.ts'

/** @typedef {'done' | 'skipped' | null} What */
/** @typedef {{ name: string, rhythm: import('#features/habits/rhythm/rhythm.ts').Rhythm, loop: [number, number], days: What[] }} History */

export const documentFile = fileURLToPath(new URL('../../docs/strength.md', import.meta.url))

// A Monday, so that weeks are whole. Today is the Monday after the last day of a history, and nothing is done on it yet.
const start = /** @type {import('#platform/calendar/day.ts').Day} */ ('2025-01-06')

/** @type {import('#features/habits/rhythm/rhythm.ts').Rhythm} */
const threeAWeek = { times: 3, per: 'week' }

/** @type {History[]} */
const histories = [
  { name: 'Daily, kept for 26 weeks', rhythm: { every: 1 }, loop: [1, 1], days: weeks(26, 'xxxxxxx') },
  { name: 'Daily, new: three weeks kept', rhythm: { every: 1 }, loop: [1, 1], days: weeks(3, 'xxxxxxx') },
  {
    name: 'Daily, kept for 25 weeks, then a week missed',
    rhythm: { every: 1 },
    loop: [1, 1],
    days: [...weeks(25, 'xxxxxxx'), ...weeks(1, '.......')],
  },
  {
    name: 'Daily, kept, with a sick month taken out',
    rhythm: { every: 1 },
    loop: [1, 1],
    days: [...weeks(20, 'xxxxxxx'), ...weeks(4, 'sssssss'), ...weeks(2, 'xxxxxxx')],
  },
  {
    name: 'Daily, kept, with a sick month that was not taken out',
    rhythm: { every: 1 },
    loop: [1, 1],
    days: [...weeks(20, 'xxxxxxx'), ...weeks(4, '.......'), ...weeks(2, 'xxxxxxx')],
  },
  {
    name: '3 a week, kept on the same days',
    rhythm: threeAWeek,
    loop: [3, 7],
    days: weeks(26, 'x.x.x..'),
  },
  {
    name: '3 a week, kept on changing days',
    rhythm: threeAWeek,
    loop: [3, 7],
    days: weeks(26, 'xxx....', '....xxx', '.x.x.x.', 'x..x..x'),
  },
  { name: '3 a week, always 2 of 3', rhythm: threeAWeek, loop: [3, 7], days: weeks(26, 'x..x...') },
  {
    name: '3 a week, 4 then 2, in turns',
    rhythm: threeAWeek,
    loop: [3, 7],
    days: weeks(26, 'xx.xx..', 'x..x...'),
  },
  {
    name: '3 a week, kept, with two skipped weeks',
    rhythm: threeAWeek,
    loop: [3, 7],
    days: [...weeks(23, 'x.x.x..'), ...weeks(2, 'sssssss'), ...weeks(1, 'x.x.x..')],
  },
  {
    name: '6 a week, done every day, then four skipped days and three done',
    rhythm: { times: 6, per: 'week' },
    loop: [6, 7],
    days: [...weeks(25, 'xxxxxxx'), ...weeks(1, 'ssssxxx')],
  },
  {
    name: 'Weekly, kept on changing days',
    rhythm: { times: 1, per: 'week' },
    loop: [1, 7],
    days: weeks(26, 'x......', '......x'),
  },
]

/** The document, of which docs/strength.md is a copy. */
export function strengthDocument() {
  const counted = histories.map((history, index) => ({
    ...history,
    number: index + 1,
    ...countedFor(history),
  }))
  return `# Strength

Strength says how well a habit was kept lately, from 0 to 100. Each period has a share: how much of its target was reached, at
most 1. Strength is the weighted mean of the shares, 100 · Σ w · s / Σ w. The newest period weighs 1, and each step back
multiplies the weight by 0.5^(1/H), with H = max(4, 30 / days of the period): the weight halves in about 30 days, or in four
periods if that is longer. The running period counts once its target is reached. Skipped and paused days lower the target of
their period. A period with no other days has no weight, unless it was done all the same.

Loop Habit Tracker keeps a score that moves a little every day: score · m + share · (1 − m), where m = 0.5^(√f / 13) and f is how
many times a day the habit is due. For a daily habit the share is that of the day; for n times in m days it is that of the last
2 · m days. A skipped day leaves the score alone, but its empty place among those days lowers the share of the days that follow.
The score begins at 0 and takes months to come near 100.

\`scripts/written/strength-table.mjs\` writes this document, with \`src/features/habits/strength/strength.ts\` and
\`src/features/habits/strength/loop-strength.ts\`. Every history begins on a Monday and ends on a Sunday; today is the day after.

| | history | Loop | ours |
|---|---|---|---|
${counted.map(({ number, name, loop, ours }) => `| ${number} | ${name} | ${loop} | ${ours} |`).join('\n')}

## The sums

${counted
  .map(
    ({ number, name, days, loopSum, ourSum }) =>
      `### ${number}. ${name}\n\n${inWeeks(days)}\n\n- Loop: ${loopSum}\n- Ours: ${ourSum}`,
  )
  .join('\n\n')}
`
}

/** @param {History} history */
function countedFor({ rhythm, loop: [numerator, denominator], days }) {
  const today = addDays(start, days.length)
  /** @type {Map<import('#platform/calendar/day.ts').Day, 'done' | 'skipped'>} */
  const states = new Map()
  for (const [index, what] of days.entries()) if (what) states.set(addDays(start, index), what)
  const track = trackOf({
    rows: [{ from_day: start, rhythm, target: 'yes' }],
    startDay: start,
    archivedOn: null,
    states,
    amounts: new Map(),
    pauses: [],
    weekStart: 1,
  })
  const { rows } = strengthSum(track, resultsSince(track, today), dayNumber(today))
  const weighed = rows.reduce((sum, { weight, share }) => sum + weight * share, 0)
  const weight = rows.reduce((sum, row) => sum + row.weight, 0)

  // Today's value is not in yet: yesterday's is what the history came to.
  const scores = loopScores({ numerator, denominator, target: null }, days)
  const [before = 0, last = 0] = scores.slice(-2)
  const m = loopDecay(numerator / denominator)
  const share = (last - before * m) / (1 - m)
  return {
    loop: percent(100 * last),
    ours: percent(numbersOf(track, today).strength ?? 0),
    loopSum: `${decimal(before)} · ${decimal(m)} + ${decimal(share)} · ${decimal(1 - m)} = ${decimal(last)}`,
    ourSum: `${periodsOf(rows)}: ${decimal(weighed)} / ${decimal(weight)} = ${decimal(weighed / weight)}`,
  }
}

/**
 * How many periods had which share, the newest first: '2 × 1, 28 out, 140 × 1'.
 * @param {import('#features/habits/strength/strength.ts').StrengthRow[]} rows
 */
function periodsOf(rows) {
  /** @type {{ text: string, count: number }[]} */
  const runs = []
  for (const { result, share } of rows) {
    const text = result === 'out' ? 'out' : `× ${Number(share.toFixed(4))}`
    const last = runs.at(-1)
    if (last?.text === text) last.count += 1
    else runs.push({ text, count: 1 })
  }
  if (runs.length <= 6) return runs.map(({ text, count }) => `${count} ${text}`).join(', ')
  const some = runs.slice(0, 4).map(({ text, count }) => `${count} ${text}`)
  return `${some.join(', ')} and so on, ${rows.length} in all`
}

/**
 * Its weeks, equal ones together; x is done, s skipped.
 * @param {What[]} days
 */
function inWeeks(days) {
  const signs = days.map((what) => (what === 'done' ? 'x' : what === 'skipped' ? 's' : '.')).join('')
  const all = signs.match(/.{7}/g) ?? []
  const period = [1, 2, 4].find((length) => all.every((week, at) => week === all[at % length]))
  if (period)
    return `${all.length} weeks: \`${all.slice(0, period).join(' ')}\`${period > 1 ? ', in turns' : ''}`
  /** @type {{ week: string, count: number }[]} */
  const runs = []
  for (const week of all) {
    const last = runs.at(-1)
    if (last?.week === week) last.count += 1
    else runs.push({ week, count: 1 })
  }
  return runs.map(({ week, count }) => `${count} ${count === 1 ? 'week' : 'weeks'} \`${week}\``).join(', ')
}

/**
 * @param {number} count
 * @param {...string} patterns repeated in turns; x is done, s skipped
 * @returns {What[]}
 */
function weeks(count, ...patterns) {
  return Array.from({ length: count }, (_, week) => patterns[week % patterns.length] ?? '').flatMap(
    (pattern) => [...pattern].map((sign) => (sign === 'x' ? 'done' : sign === 's' ? 'skipped' : null)),
  )
}

/** @param {number} number */
function percent(number) {
  return number.toFixed(1)
}

/** @param {number} number */
function decimal(number) {
  return number.toFixed(6)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(documentFile, strengthDocument())
