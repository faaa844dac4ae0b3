import type { ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import { positionOf } from '#features/habits/habit/habit-row.ts'
import { rhythmOfFrequency } from '#features/habits/rhythm/rhythm.ts'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { weekNumber } from '#platform/calendar/week.ts'
import { unmoved } from '#platform/order/position-field.ts'
import { type DemoDay, instantAt, seededRandom } from './demo-days.ts'
import { demoFocus } from './demo-focus.ts'

interface Recipe {
  name: string
  description: string
  frequency: 'daily' | 'weekly'
  /** Days before today on which the habit began. */
  began: number
  /** The hour by which the habit is done. */
  hour: number
  /** Probability of completion on a workday and at the weekend; for a weekly habit, on its usual weekday. */
  work: number
  weekend: number
  /** How much the probability grows from the beginning to the end of the year. */
  growth?: number
  /** Days, or weeks, in a row with completions up to today. */
  streak: number
  /** The usual day of a weekly habit. */
  weekday?: number
  reminder?: Reminder
}

const recipes: readonly Recipe[] = [
  {
    name: 'Read 20 pages',
    description: 'Paper, not a screen',
    frequency: 'daily',
    began: 364,
    hour: 22,
    work: 0.78,
    weekend: 0.88,
    streak: 34,
  },
  {
    name: 'Morning walk',
    description: 'Around the lake, in any weather',
    frequency: 'daily',
    reminder: { time: 6 * 60 + 45, weekdays: [1, 2, 3, 4, 5] },
    began: 364,
    hour: 8,
    work: 0.82,
    weekend: 0.52,
    streak: 9,
  },
  {
    name: 'Take vitamins',
    description: '',
    frequency: 'daily',
    began: 364,
    hour: 9,
    work: 0.94,
    weekend: 0.83,
    streak: 58,
  },
  {
    name: 'Meditate',
    description: 'Ten minutes before the day begins',
    frequency: 'daily',
    began: 301,
    hour: 7,
    work: 0.55,
    weekend: 0.5,
    growth: 0.35,
    streak: 16,
  },
  {
    name: 'Spanish',
    description: 'One lesson, or a page of the newspaper',
    frequency: 'daily',
    began: 212,
    hour: 19,
    work: 0.76,
    weekend: 0.42,
    streak: 4,
  },
  {
    name: 'Write three lines',
    description: 'What was good today',
    frequency: 'daily',
    began: 93,
    hour: 22,
    work: 0.74,
    weekend: 0.7,
    streak: 12,
  },
  {
    name: 'Long run',
    description: '',
    frequency: 'weekly',
    began: 358,
    hour: 11,
    work: 0.8,
    weekend: 0.8,
    weekday: 6,
    streak: 7,
  },
  {
    name: 'Call home',
    description: '',
    frequency: 'weekly',
    began: 330,
    hour: 18,
    work: 0.9,
    weekend: 0.9,
    weekday: 7,
    streak: 12,
  },
  {
    name: 'Cook something new',
    description: 'From the red book',
    frequency: 'weekly',
    began: 163,
    hour: 19,
    work: 0.62,
    weekend: 0.62,
    weekday: 3,
    streak: 2,
  },
]

/** A habit that somebody tried for a month and then dropped. */
const abandoned: Recipe = {
  name: 'Cold shower',
  description: '',
  frequency: 'daily',
  began: 74,
  hour: 7,
  work: 0.5,
  weekend: 0.3,
  streak: 0,
}

/** Every daily and weekly habit, with its completions up to an instant on the last of the days. */
export function demoHabits(days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit[] {
  return recipes.map((recipe) => habitOf(recipe, days, now, zone))
}

/** The deleted habit. */
export function abandonedHabit(days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit {
  const habit = habitOf(abandoned, days, now, zone)
  const tried = days.filter(({ daysAgo }) => daysAgo > abandoned.began - 30).map(({ day }) => day)
  return { ...habit, completions: habit.completions.filter((day) => tried.includes(day)) }
}

function habitOf(recipe: Recipe, days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit {
  const daysSinceStart = days.filter(({ daysAgo }) => daysAgo <= recipe.began)
  const [first] = daysSinceStart
  if (!first) throw new Error('A habit of the demo has to begin on one of its days')
  const created = instantAt(first.day, 6 * 60 + 40, zone)
  const done =
    recipe.frequency === 'daily'
      ? daysSinceStart.filter((each) => isDone(recipe, each, zone)).map(({ day }) => day)
      : weeksDone(recipe, daysSinceStart)
  const id = seededRandom('habit', recipe.name).id(created)
  const created_at = instantToWire(Math.min(created, now))
  const rhythm = rhythmOfFrequency(recipe.frequency)
  return {
    id,
    name: recipe.name,
    description: recipe.description,
    frequency: recipe.frequency,
    rhythms: [{ from_day: first.day, rhythm, target: 'yes' }],
    start_date: first.day,
    reminder: recipe.reminder ?? null,
    position: positionOf({ id, position: unmoved, created_at }),
    archived_at: null,
    created_at,
    skips: [],
    notes: [],
    amounts: [],
    completions: done.filter((day) => instantAt(day, recipe.hour * 60, zone) <= now),
  }
}

function isDone(recipe: Recipe, demoDay: DemoDay, zone: string): boolean {
  const { day, daysAgo, kind } = demoDay
  if (daysAgo <= recipe.streak) return daysAgo < recipe.streak
  const grown = (recipe.growth ?? 0) * (1 - daysAgo / recipe.began)
  const usual = (kind === 'weekend' ? recipe.weekend : recipe.work) + grown
  const random = seededRandom('habit', recipe.name, day)
  if (kind === 'ill') return random.chance(0.12)
  if (kind === 'away') return random.chance(usual * 0.4)
  // Getting one thing done makes it more likely that the next gets done, too.
  return random.chance(usual + (demoFocus(demoDay, zone).length > 0 ? 0.05 : 0))
}

function weeksDone(recipe: Recipe, days: readonly DemoDay[]): Day[] {
  const weeks = [...Map.groupBy(days, ({ day }) => weekNumber(day, 1))].toReversed()
  return weeks
    .flatMap(([week, ofWeek], weeksBack) => {
      const random = seededRandom('habit', recipe.name, week)
      const goesWell = weeksBack < recipe.streak || (weeksBack > recipe.streak && random.chance(recipe.work))
      const freeDays = ofWeek.filter(({ kind }) => kind === 'work' || kind === 'weekend')
      const usualDay = freeDays.find(({ weekday }) => weekday === recipe.weekday)
      // In past weeks, another day can make up for a missed one; in the current week, only the usual day counts.
      const [anotherDay] =
        weeksBack === 0 ? [] : freeDays.slice(random.between(0, Math.max(0, freeDays.length - 1)))
      const done = usualDay && (weeksBack === 0 || random.chance(0.75)) ? usualDay : anotherDay
      return goesWell && done ? [done.day] : []
    })
    .toReversed()
}
