import type { NumberOrder } from '#platform/language/typed-date.ts'

/** Whether '3/12' starts with the day or the month in this browser's locale. */
export function numberOrder(): NumberOrder {
  known ??= ordered()
  return known
}

/** Cached, since a format is slow to create. */
let known: NumberOrder | undefined

function ordered(): NumberOrder {
  const parts = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'numeric' }).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month'
    ? 'month first'
    : 'day first'
}
