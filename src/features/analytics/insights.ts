import type { Day } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { type DayFigure, type Figure, type Measure, sumOf } from './day-figure.ts'

/** Days of one kind, and what they came to. */
export interface Side extends Figure {
  days: DayFigure[]
}

/** How days are told apart. */
export type Split = 'focus' | 'weekend'

/** Two kinds of days that differ more than chance makes them. It says nothing of why. */
export interface Insight {
  /** The same as long as it is about the same. */
  id: string
  measure: Measure
  split: Split
  /** One habit that it is about, or undefined where it is about all. */
  habit: string | undefined
  /** Days with a focus session, or weekdays. */
  one: Side
  /** Days without, or weekend days. */
  other: Side
  /** Standard deviations between the two; the higher, the less likely it is chance. */
  strength: number
}

export interface HabitDay {
  day: Day
  id: string
  name: string
  completed: boolean
}

export interface Facts {
  todos: readonly DayFigure[]
  focus: readonly DayFigure[]
  /**
   * Each daily habit on each day on which it was due. Weekly ones cannot be compared by day: a missed week counts on its
   * last day, which would make those days look bad.
   */
  habits: readonly HabitDay[]
}

/** What the habits came to on each of their days. */
export function figuresOf(habits: readonly HabitDay[]): DayFigure[] {
  const figures = new Map<Day, DayFigure>()
  for (const { day, completed } of habits) {
    const figure = figures.get(day) ?? { day, amount: 0, beside: 0 }
    figure.amount += completed ? 1 : 0
    figure.beside += 1
    figures.set(day, figure)
  }
  return [...figures.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

/**
 * Two weeks of days on both sides: fewer let a single odd week decide, and the normal bound below is no bound for them.
 */
export const leastDays = 14

/**
 * Two-sided p below 0.003. A person with 20 habits is compared in some two dozen ways each time: at the usual 1.96 one
 * finding in each look would be chance, at 3 it is one in fifteen looks. Days in a row also resemble each other, which
 * makes chance look smaller than it is: one more reason to ask for more.
 */
const leastStrength = 3

const mostInsights = 4

/** The strongest first. Today is to be left out of the facts: it is not over. */
export function insightsOf(facts: Facts): Insight[] {
  return comparisons(facts)
    .filter(
      ({ one, other, strength }) =>
        one.days.length >= leastDays && other.days.length >= leastDays && strength >= leastStrength,
    )
    .sort((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1))
    .slice(0, mostInsights)
}

/** How many days there are on each side of the comparison with focus: what is missing while there is no insight. */
export function daysByFocus(focus: readonly DayFigure[]): { withFocus: number; without: number } {
  const withFocus = focus.filter(({ beside, amount }) => beside > 0 || amount > 0).length
  return { withFocus, without: focus.length - withFocus }
}

function comparisons({ todos, habits, focus }: Facts): Insight[] {
  const focused = new Set(focus.filter(({ amount }) => amount > 0).map(({ day }) => day))
  const hasFocus = (day: Day) => focused.has(day)
  const isWeekday = (day: Day) => weekdayOf(day) <= 5
  const byHabit = new Map<string, HabitDay[]>()
  for (const row of habits) byHabit.set(row.id, [...(byHabit.get(row.id) ?? []), row])
  return [
    compare({ measure: 'habits', split: 'focus', habit: undefined }, figuresOf(habits), hasFocus),
    compare({ measure: 'todos', split: 'focus', habit: undefined }, todos, hasFocus),
    compare({ measure: 'todos', split: 'weekend', habit: undefined }, todos, isWeekday),
    compare({ measure: 'focus', split: 'weekend', habit: undefined }, focus, isWeekday),
    ...[...byHabit].map(([id, rows]) =>
      compare(
        { measure: 'habits', split: 'weekend', habit: rows.at(-1)?.name },
        figuresOf(rows),
        isWeekday,
        id,
      ),
    ),
  ]
}

function compare(
  about: Pick<Insight, 'measure' | 'split' | 'habit'>,
  days: readonly DayFigure[],
  isOne: (day: Day) => boolean,
  of = 'all',
): Insight {
  const one = sideOf(days.filter(({ day }) => isOne(day)))
  const other = sideOf(days.filter(({ day }) => !isOne(day)))
  return {
    id: `${about.measure} ${about.split} ${of}`,
    ...about,
    one,
    other,
    strength: strengthOf(about.measure, one, other),
  }
}

/**
 * Standard deviations between the means of the days. What is told is the share of all that was due on them together; where
 * that points the other way, the finding depends on how one counts and is none.
 */
function strengthOf(measure: Measure, one: Side, other: Side): number {
  const [a, b] = [valuesOf(measure, one), valuesOf(measure, other)]
  const told = toldOf(measure, one) - toldOf(measure, other)
  const distance = deviationsApart(a, b)
  return distance * told > 0 ? Math.abs(distance) : 0
}

/** To-dos or seconds a day, or the share of the habits due. */
export function toldOf(measure: Measure, { amount, beside, days }: Side): number {
  return amount / (measure === 'habits' ? beside : days.length)
}

function sideOf(days: DayFigure[]): Side {
  return { days, ...sumOf(days) }
}

/** By which days compare: habits by the share of a day's due that was done, the rest by amount. */
function valuesOf(measure: Measure, { days }: Side): number[] {
  return days.map(({ amount, beside }) => (measure === 'habits' ? amount / beside : amount))
}

/**
 * How far the two means lie apart, in standard deviations of how far they would if the days were dealt to the two kinds at
 * random: the normal form of a permutation test, which asks nothing of how the values are spread.
 */
function deviationsApart(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other]
  if (one.length === 0 || other.length === 0) return 0
  const mean = meanOf(all)
  const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1)
  if (variance === 0) return 0
  return (meanOf(one) - meanOf(other)) / Math.sqrt(variance * (1 / one.length + 1 / other.length))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
