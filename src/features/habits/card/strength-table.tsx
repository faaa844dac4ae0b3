import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { shortDay } from '#platform/format/short-day.ts'
import type { StrengthRow, StrengthSum } from '../strength/strength.ts'

const weightFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3, minimumFractionDigits: 3 })
const shareFormat = new Intl.NumberFormat('en-GB', { style: 'percent' })
/** How many of the newest periods are listed. They weigh most; all older periods share one row. */
const mostRows = 8

/** How a strength was computed, so that anyone can check it. */
export function StrengthTable({ sum, today }: { sum: StrengthSum; today: Day }) {
  const rows = sum.rows.slice(0, mostRows)
  const older = earlierThan(sum)
  return (
    <div className="mt-3 text-control text-ink-2">
      <p>
        Recent days count more: 100 × the sum of weight × share, divided by the sum of the weights. A period's
        weight falls to half in about a month; what was skipped or paused has none.
      </p>
      <table className="mt-2 w-full max-w-md tabular-nums">
        <caption className="sr-only">How the strength is summed, newest first</caption>
        <thead className="text-small text-ink-3">
          <tr>
            {['Period', 'Share', 'Weight', 'Weight × share'].map((heading, place) => (
              <th
                key={heading}
                scope="col"
                className={place === 0 ? 'py-1 text-left font-normal' : 'py-1 pl-4 text-right font-normal'}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.from}>
              <th scope="row" className="py-0.5 text-left font-normal">
                {spanWords(row, today)}
                {row.result === 'out' && <span className="text-ink-3"> (left out)</span>}
              </th>
              <Cells share={row.share} weight={row.weight} />
            </tr>
          ))}
          {older.weight > 0 && (
            <tr>
              <th scope="row" className="py-0.5 text-left font-normal">
                {older.count > 0 ? `${integerFormat.format(older.count)} and all before` : 'All before'}
              </th>
              <Cells share={older.share} weight={older.weight} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function Cells({ share, weight }: { share: number; weight: number }) {
  return (
    <>
      <td className="py-0.5 pl-4 text-right">{shareFormat.format(share)}</td>
      <td className="py-0.5 pl-4 text-right">{weightFormat.format(weight)}</td>
      <td className="py-0.5 pl-4 text-right">{weightFormat.format(weight * share)}</td>
    </>
  )
}

/** The weight and share of all periods that are not listed, combined. */
function earlierThan({ rows, earlier }: StrengthSum): { weight: number; share: number; count: number } {
  const rest = rows.slice(mostRows)
  const weight = rest.reduce((sum, row) => sum + row.weight, earlier.weight)
  const shares = rest.reduce((sum, row) => sum + row.weight * row.share, earlier.weight * earlier.share)
  return { weight, share: weight > 0 ? shares / weight : 0, count: rest.length }
}

function spanWords({ from, to }: StrengthRow, today: Day): string {
  return from === to ? shortDay(from, today) : `${shortDay(from, today)} to ${shortDay(to, today)}`
}
