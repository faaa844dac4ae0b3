import type { NumberOrder } from '#platform/language/typed-date.ts'

/** Which number of '3/12' is the day where this browser is at home. */
export function numberOrder(): NumberOrder {
  known ??= ordered()
  return known
}

/** A format is slow to make. */
let known: NumberOrder | undefined

function ordered(): NumberOrder {
  const parts = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'numeric' }).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month'
    ? 'month first'
    : 'day first'
}
