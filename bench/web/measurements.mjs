import { mkdirSync, writeFileSync } from 'node:fs'
import { conditions } from './slow-browser.mjs'

/** @type {Map<string, { unit: string, most: number | undefined, values: number[], beside: number[] }>} */
const measurements = new Map()

/** @typedef {typeof note} Note */

/** @param {string} name of a measurement taken before */
export function medianOf(name) {
  return spread(measurements.get(name)?.values ?? []).median
}

/**
 * @param {string} name
 * @param {string} unit
 * @param {number | undefined} most the promise for the median
 * @param {number} value
 */
export function note(name, unit, most, value) {
  measurementOf(name, unit, most).values.push(value)
}

/**
 * The same of another checkout, whose medians are printed beside those of this one.
 * @type {Note}
 */
export function noteBeside(name, unit, most, value) {
  measurementOf(name, unit, most).beside.push(value)
}

/**
 * How many times the median of another measurement that of one is, here and in the other checkout.
 * @param {string} name
 * @param {number | undefined} most the promise
 * @param {string} one
 * @param {string} other
 */
export function noteTimes(name, most, one, other) {
  for (const side of /** @type {const} */ (['values', 'beside'])) {
    const [of, to] = [one, other].map((each) => measurements.get(each)?.[side] ?? [])
    if (of?.length && to?.length)
      measurementOf(name, '', most)[side].push(spread(of).median / spread(to).median)
  }
}

/**
 * @param {string} name
 * @param {string} unit
 * @param {number | undefined} most
 */
function measurementOf(name, unit, most) {
  const measurement = measurements.get(name) ?? { unit, most, values: [], beside: [] }
  measurements.set(name, measurement)
  return measurement
}

/**
 * The medians beside their promises, and what 95 % stay under; the same as JSON in dist/bench.
 * @param {string} bench
 * @param {number} rounds
 */
export function print(bench, rounds) {
  const results = [...measurements].map(([name, { unit, most, values, beside }]) => ({
    name,
    unit,
    most,
    ...spread(values),
    ...(beside.length > 0 && { beside: spread(beside) }),
  }))
  const isBeside = results.some(({ beside }) => beside)
  process.stdout.write(
    `Processor ${conditions.slower} times slower, 1.6 Mbit/s, ${conditions.latency} ms, ${rounds} rounds; load before: ${conditions.load.toFixed(1)}\n\n`,
  )
  process.stdout.write(
    `${'median'.padStart(53)}${'promise'.padStart(12)}${'least to worst'.padStart(20)}${'95 %'.padStart(8)}${isBeside ? `${'the other'.padStart(12)}${'times it'.padStart(10)}` : ''}\n`,
  )
  for (const { name, unit, most, median, least, p95, worst, beside } of results) {
    const isWhole = [median, least, worst, beside?.median ?? 0].every(Number.isInteger)
    const digits = unit === 'KB' ? 1 : unit === '' && !isWhole ? 3 : 0
    const say = (/** @type {number} */ value) => value.toFixed(digits)
    const kept = most === undefined ? '' : `${median <= most ? '≤' : 'MISSED'} ${most}`
    const other = beside
      ? `${say(beside.median).padStart(12)}${beside.median > 0 ? (median / beside.median).toFixed(2).padStart(10) : ''}`
      : ''
    process.stdout.write(
      `${name.padEnd(42)}${say(median).padStart(8)} ${unit.padEnd(2)}${kept.padStart(12)}` +
        `${`${say(least)} to ${say(worst)}`.padStart(20)}${say(p95).padStart(8)}${other}\n`,
    )
  }
  mkdirSync('dist/bench', { recursive: true })
  writeFileSync(
    `dist/bench/${bench}.json`,
    `${JSON.stringify({ conditions: { rounds, ...conditions }, results }, null, 2)}\n`,
  )
}

/** @param {readonly number[]} values */
function spread(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), least: at(0), p95: at(0.95), worst: at(1), count: sorted.length }
}
