import { percentOf } from '#platform/ui/number-words.ts'
import { roundDurationInWords } from '#platform/ui/time-in-words.ts'
import type { Figure, Measure } from '../day-figure.ts'

/** '2.6' to-dos a day, '62%' of the habits, '1 h 10 min' a day; '–' where there is nothing to take a share of. */
export function rateInWords(measure: Measure, figure: Figure, dayCount: number): string {
  if (dayCount === 0 || (measure === 'habits' && figure.beside === 0)) return '–'
  if (measure === 'habits') return percentOf({ done: figure.amount, due: figure.beside })
  const average = figure.amount / dayCount
  if (measure === 'todos') return oneDigit.format(average)
  return roundDurationInWords(average)
}

const oneDigit = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
