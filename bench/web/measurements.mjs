import { mkdirSync, writeFileSync } from 'node:fs'
import { conditions } from './slow-browser.mjs'

/** @type {Map<string, { unit: string, most: number | undefined, values: number[] }>} */
const measurements = new Map()

/**
 * @param {string} name
 * @param {string} unit
 * @param {number | undefined} most the promise for the median
 * @param {number} value
 */
export function note(name, unit, most, value) {
  const measurement = measurements.get(name) ?? { unit, most, values: [] }
  measurement.values.push(value)
  measurements.set(name, measurement)
}

/**
 * The medians beside their promises, and what 95 % stay under; the same as JSON in dist/bench.
 * @param {string} bench
 * @param {number} rounds
 */
export function print(bench, rounds) {
  const results = [...measurements].map(([name, { unit, most, values }]) => {
    const sorted = values.toSorted((one, other) => one - other)
    const at = (/** @type {number} */ share) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      name,
      unit,
      most,
      median: at(0.5),
      least: at(0),
      p95: at(0.95),
      worst: at(1),
      count: sorted.length,
    }
  })
  process.stdout.write(
    `Processor ${conditions.slower} times slower, 1.6 Mbit/s, ${conditions.latency} ms, ${rounds} rounds; load before: ${conditions.load.toFixed(1)}\n\n`,
  )
  process.stdout.write(
    `${'median'.padStart(49)}${'promise'.padStart(12)}${'least to worst'.padStart(20)}${'95 %'.padStart(8)}\n`,
  )
  for (const { name, unit, most, median, least, p95, worst } of results) {
    const digits = unit === '' ? 3 : unit === 'KB' ? 1 : 0
    const say = (/** @type {number} */ value) => value.toFixed(digits)
    const kept = most === undefined ? '' : `${median <= most ? '≤' : 'MISSED'} ${most}`
    process.stdout.write(
      `${name.padEnd(38)}${say(median).padStart(8)} ${unit.padEnd(2)}${kept.padStart(12)}` +
        `${`${say(least)} to ${say(worst)}`.padStart(20)}${say(p95).padStart(8)}\n`,
    )
  }
  mkdirSync('dist/bench', { recursive: true })
  writeFileSync(
    `dist/bench/${bench}.json`,
    `${JSON.stringify({ conditions: { rounds, ...conditions }, results }, null, 2)}\n`,
  )
}
