import type { AmountTarget, StreakUnit } from '../rhythm.ts'

// Amounts and streaks in words.

const numberFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** Formats an amount in thousandths: 1500 becomes '1.5'. */
export function formatAmount(amount: number): string {
  return numberFormat.format(amount / 1_000)
}

/** Parses what a person typed, such as '1.5' or '1,5', into thousandths; undefined if it is not a number. */
export function parseAmount(text: string): number | undefined {
  const match = /^(\d{1,7})(?:[.,](\d{0,3}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, whole = '', part = ''] = match
  return Number(whole) * 1_000 + Number(part.padEnd(3, '0'))
}

/** '5 of 8 glasses', '1 of at most 2 cups' */
export function amountInWords(amount: number, { at, amount: goal, unit }: AmountTarget): string {
  return `${formatAmount(amount)} of ${at === 'most' ? 'at most ' : ''}${formatAmount(goal)} ${unit}`
}

/** The unit of a streak, in singular or plural: 'days' for 23, 'week' for 1. */
export function unitOf(count: number, unit: StreakUnit): string {
  return count === 1 ? unit.slice(0, -1) : unit
}
