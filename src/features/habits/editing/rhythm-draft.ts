import { isInMinutes, minutesUnit } from '../amounts/minutes.ts'
import { mostAmount, type Rhythm, type Target } from '../rhythm/rhythm.ts'
import { rhythmSchema, targetSchema } from '../rhythm/rhythm-schema.ts'
import { formatAmount, parseAmount } from '../rhythm/web/target-words.ts'

export type RhythmKind = 'daily' | 'weekly' | 'weekdays' | 'week' | 'month' | 'every' | 'block'

/** The rhythm and target that a person is choosing, as typed into the fields. */
export interface RhythmDraft {
  kind: RhythmKind
  weekdays: readonly number[]
  times: string
  days: string
  /** `time` counts minutes, including those of focus sessions. */
  goal: 'tick' | 'count' | 'time'
  at: 'least' | 'most'
  amount: string
  unit: string
  per: 'day' | 'week' | 'month'
}

/**
 * The frequencies to choose from, first the two in the specification. `first` holds the initial values of the choice's fields.
 */
export const rhythmKinds: readonly {
  kind: RhythmKind
  label: string
  /** Shown beside the label if the label alone is unclear. */
  example?: string
  first?: Partial<RhythmDraft>
}[] = [
  { kind: 'daily', label: 'Daily' },
  { kind: 'weekly', label: 'Weekly' },
  {
    kind: 'weekdays',
    label: 'Certain weekdays',
    example: 'Mon, Wed and Fri',
    first: { weekdays: [1, 3, 5] },
  },
  { kind: 'week', label: 'Times a week', example: '3 of 7 days, whichever', first: { times: '3' } },
  { kind: 'month', label: 'Times a month', example: '4 days of the month', first: { times: '4' } },
  { kind: 'every', label: 'Every few days', example: 'every 3 days', first: { days: '3' } },
  {
    kind: 'block',
    label: 'Times in some days',
    example: '2 times in 5 days',
    first: { times: '2', days: '5' },
  },
]

export function draftOf(rhythm: Rhythm, target: Target): RhythmDraft {
  return {
    kind: kindOf(rhythm),
    weekdays: 'weekdays' in rhythm ? rhythm.weekdays : [],
    times: 'times' in rhythm ? String(rhythm.times) : '',
    days: 'days' in rhythm ? String(rhythm.days) : 'every' in rhythm ? String(rhythm.every) : '',
    ...(target === 'yes'
      ? { goal: 'tick', at: 'least', amount: '', unit: '', per: 'day' }
      : {
          ...target,
          amount: formatAmount(target.amount).replaceAll(',', ''),
          ...(isInMinutes(target) ? { goal: 'time', unit: '' } : { goal: 'count' }),
        }),
  }
}

function kindOf(rhythm: Rhythm): RhythmKind {
  if ('weekdays' in rhythm) return 'weekdays'
  if ('every' in rhythm) return rhythm.every === 1 ? 'daily' : 'every'
  if ('days' in rhythm) return 'block'
  return rhythm.per === 'week' && rhythm.times === 1 ? 'weekly' : rhythm.per
}

/** Returns undefined while something is missing or wrong. */
export function rhythmOfDraft(draft: RhythmDraft): Rhythm | undefined {
  return rhythmSchema.safeParse(sentRhythm(draft)).data
}

export function targetOfDraft(draft: RhythmDraft): Target | undefined {
  return targetSchema.safeParse(sentTarget(draft)).data
}

function sentRhythm({ kind, weekdays, times, days }: RhythmDraft): unknown {
  const [count, length] = [wholeNumber(times), wholeNumber(days)]
  switch (kind) {
    case 'daily':
      return { every: 1 }
    case 'weekly':
      return { times: 1, per: 'week' }
    case 'weekdays':
      return { weekdays: [...weekdays] }
    case 'week':
    case 'month':
      return { times: count, per: kind }
    case 'every':
      return { every: length }
    case 'block':
      return { times: count, days: length }
  }
}

function sentTarget({ goal, at, amount, unit, per }: RhythmDraft): unknown {
  if (goal === 'tick') return 'yes'
  // Typing 'minutes' as the unit means the same as choosing 'Time it'.
  const isTime = goal === 'time' || unit.trim().toLowerCase() === minutesUnit
  return { at, amount: parseAmount(amount), unit: isTime ? minutesUnit : unit, per }
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined
}

/** The message about what is wrong with the rhythm; undefined if it is valid. */
export function rhythmProblem(draft: RhythmDraft): string | undefined {
  if (rhythmOfDraft(draft)) return undefined
  const { kind, weekdays, times, days } = draft
  if (kind === 'weekdays') return weekdays.length === 0 ? 'Choose at least one day' : undefined
  if (kind === 'week') return 'Enter a number of times from 1 to 7'
  if (kind === 'month') return 'Enter a number of times from 1 to 28'
  if (kind === 'every') return 'Enter a number of days from 1 to 366'
  const [count, length] = [wholeNumber(times), wholeNumber(days)]
  return count && length && count > length
    ? 'Enter at most as many times as days'
    : 'Enter numbers from 1 to 366'
}

/** What is missing or wrong in the goal. `isShown` is false for an empty field, which needs no message. */
export function targetProblem(
  draft: RhythmDraft,
): { field: 'amount' | 'unit'; message: string; isShown: boolean } | undefined {
  if (targetOfDraft(draft)) return undefined
  const { at, amount, unit } = draft
  const entered = parseAmount(amount)
  const isAmountWrong = entered === undefined || entered > mostAmount || (at === 'least' && entered === 0)
  if (isAmountWrong) {
    const message = `Enter a number ${at === 'most' ? 'from 0' : 'above 0'} and up to 1,000,000, such as 8 or 2.5`
    return { field: 'amount', message, isShown: amount.trim() !== '' }
  }
  return { field: 'unit', message: 'Enter a unit of up to 50 characters', isShown: unit.trim() !== '' }
}
