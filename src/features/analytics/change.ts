import type { Figure, Measure } from './day-figure.ts'

/** How a range compares with the one before it. */
export type Change =
  /** There is nothing before that it could be compared with. */
  | { kind: 'first' }
  | { kind: 'same' }
  /** `by` to-dos, percentage points or minutes, always more than 0. */
  | { kind: 'more' | 'less'; by: number; before: number; now: number }

/**
 * To-dos compare by their number, habits by the share of the due that was done, focus by its minutes: as whole numbers,
 * so that the difference told is the difference of the two numbers told.
 */
export function changeOf(measure: Measure, now: Figure, before: Figure): Change {
  if (measure === 'habits' ? before.beside === 0 || now.beside === 0 : before.amount === 0) {
    return { kind: 'first' }
  }
  const [past, present] = [comparedBy(measure, before), comparedBy(measure, now)]
  if (past === present) return { kind: 'same' }
  return { kind: present > past ? 'more' : 'less', by: Math.abs(present - past), before: past, now: present }
}

/** What is not all is never 100 %, what is not nothing never 0 %. */
export function wholePercent({ amount, beside }: Figure): number {
  if (amount === 0) return 0
  if (amount === beside) return 100
  return Math.min(99, Math.max(1, Math.round((amount / beside) * 100)))
}

function comparedBy(measure: Measure, figure: Figure): number {
  if (measure === 'habits') return wholePercent(figure)
  return measure === 'focus' ? Math.floor(figure.amount / 60) : figure.amount
}
