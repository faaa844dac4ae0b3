import { isLeftToDo, type StateOfDay } from '#features/habits/rhythm/day-state.ts'
import type { HabitTrack } from '#features/habits/rhythm/habit-track.ts'
import { type AmountTarget, isSummed, spanOn } from '#features/habits/rhythm/rhythm.ts'
import { amountInWords, formatAmount } from '#features/habits/rhythm/web/target-words.ts'
import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { YearDay } from '#platform/ui/charts/year-of-buttons.tsx'

/** How a day is drawn. The looks differ in shape as well as color. */
export interface DayLook {
  look: 'done' | 'part' | 'skipped' | 'paused' | 'missed' | 'not due' | 'unknown' | 'open' | 'free'
  /** The share of the goal, from 0 to 1, that is filled from the bottom of the square. */
  part: number
  /** Whether the filled part uses up a limit, and so is no progress. */
  isLimit: boolean
  /** What a screen reader says: 'done', '5 of 8 glasses'. */
  words: string
}

/**
 * How one day is drawn. `free` means that the habit need not be done on this day: its period asks for a number of days, whichever
 * they are.
 */
export function lookOf(track: HabitTrack, { day, state, amount }: StateOfDay, today: Day): DayLook {
  const { target } = spanOn(track.spans, dayNumber(day))
  const isLimit = target !== 'yes' && target.at === 'most'
  const goal = target === 'yes' ? 0 : target.amount
  const entered = target === 'yes' || amount === null ? '' : amountWords(target, amount)
  const drawn = (look: DayLook['look'], words: string, part = 0): DayLook => ({
    look,
    part,
    isLimit,
    words: [words, entered].filter(Boolean).join(', '),
  })
  switch (state) {
    case 'done':
    case 'skipped':
    case 'paused':
    case 'unknown':
      return drawn(state, state)
    case 'not_due':
      return drawn('not due', 'not due')
    case 'open':
    case 'missed': {
      const isOver = isLimit && amount !== null && amount > goal
      if (isOver) return drawn('missed', 'over the limit')
      const isPart = target !== 'yes' && !isSummed(target) && amount !== null && amount > 0
      if (isPart && goal > 0) return drawn('part', '', amount / goal)
      if (state === 'missed') return drawn('missed', 'missed')
      const isOpen = day === today ? isLeftToDo(track, today) || (isLimit && amount !== null) : day > today
      return drawn(isOpen ? 'open' : 'free', 'not done')
    }
  }
}

/** If an amount is summed over a longer period, a single day has no goal, so only its amount is given. */
function amountWords(target: AmountTarget, amount: number): string {
  return isSummed(target) ? `${formatAmount(amount)} ${target.unit}` : amountInWords(amount, target)
}

/**
 * Whether a bar joins a day to the day before. Both days must be done; skipped days in between don't break the bar. `looks` are
 * the looks of consecutive days.
 */
export function isJoined(looks: readonly DayLook['look'][], place: number): boolean {
  const isDone = (from: number, step: 1 | -1) => {
    let at = from
    while (looks[at] === 'skipped') at += step
    return looks[at] === 'done'
  }
  return isDone(place - 1, -1) && isDone(place, 1)
}

/** How the cells of a year are drawn. These cells are too small to show every look that the last seven days can have. */
export const yearLooks: Record<DayLook['look'], YearDay['look']> = {
  done: 'done',
  part: 'part',
  skipped: 'skipped',
  paused: 'paused',
  missed: 'blank',
  'not due': 'dot',
  unknown: 'unknown',
  open: 'open',
  free: 'free',
}
