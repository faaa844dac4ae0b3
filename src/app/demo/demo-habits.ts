import type { ExportedHabit } from '#features/habits/exported-habit.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { weekNumber } from '#platform/calendar/week.ts'
import { type DemoDay, diceOf, instantAt } from './demo-days.ts'
import { demoFocus } from './demo-focus.ts'

interface Recipe {
  name: string
  description: string
  frequency: 'daily' | 'weekly'
  /** Days before today on which it began. */
  began: number
  /** The hour by which it is done. */
  hour: number
  /** How likely it is done on a day of work and on one of the weekend; of a week, on its usual weekday. */
  work: number
  weekend: number
  /** Where it is better at the end of the year than at its beginning. */
  growth?: number
  /** Days, or weeks, that it is done in a row up to today. */
  streak: number
  /** Of a weekly one: the day that is meant for it. */
  weekday?: number
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

/** What somebody tried for a month and let go again. */
const letGo: Recipe = {
  name: 'Cold shower',
  description: '',
  frequency: 'daily',
  began: 74,
  hour: 7,
  work: 0.5,
  weekend: 0.3,
  streak: 0,
}

/** Every habit with what was done of it up to an instant of the last of the days. */
export function demoHabits(days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit[] {
  return recipes.map((recipe) => habitOf(recipe, days, now, zone))
}

/** The habit that is in nobody's list any more. */
export function habitLetGo(days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit {
  const habit = habitOf(letGo, days, now, zone)
  const tried = days.filter(({ back }) => back > letGo.began - 30).map(({ day }) => day)
  return { ...habit, completions: habit.completions.filter((day) => tried.includes(day)) }
}

function habitOf(recipe: Recipe, days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit {
  const lived = days.filter(({ back }) => back <= recipe.began)
  const [first] = lived
  if (!first) throw new Error('A habit of the demo has to begin on one of its days')
  const created = instantAt(first.day, 6 * 60 + 40, zone)
  const done =
    recipe.frequency === 'daily'
      ? lived.filter((each) => isDone(recipe, each, zone)).map(({ day }) => day)
      : weeksDone(recipe, lived)
  return {
    id: diceOf('habit', recipe.name).id(created),
    name: recipe.name,
    description: recipe.description,
    frequency: recipe.frequency,
    start_date: first.day,
    created_at: instantToWire(Math.min(created, now)),
    completions: done.filter((day) => instantAt(day, recipe.hour * 60, zone) <= now),
  }
}

function isDone(recipe: Recipe, demoDay: DemoDay, zone: string): boolean {
  const { day, back, kind } = demoDay
  if (back <= recipe.streak) return back < recipe.streak
  const grown = (recipe.growth ?? 0) * (1 - back / recipe.began)
  const usual = (kind === 'weekend' ? recipe.weekend : recipe.work) + grown
  const dice = diceOf('habit', recipe.name, day)
  if (kind === 'ill') return dice.chance(0.12)
  if (kind === 'away') return dice.chance(usual * 0.4)
  // Who sits down to something sits down to the next thing too.
  return dice.chance(usual + (demoFocus(demoDay, zone).length > 0 ? 0.05 : 0))
}

function weeksDone(recipe: Recipe, days: readonly DemoDay[]): Day[] {
  const weeks = [...Map.groupBy(days, ({ day }) => weekNumber(day, 1))].toReversed()
  return weeks
    .flatMap(([week, ofWeek], weeksBack) => {
      const dice = diceOf('habit', recipe.name, week)
      const goesWell = weeksBack < recipe.streak || (weeksBack > recipe.streak && dice.chance(recipe.work))
      const free = ofWeek.filter(({ kind }) => kind === 'work' || kind === 'weekend')
      const meant = free.find(({ weekday }) => weekday === recipe.weekday)
      // A week that is over is made up for on another day; this one has its day before it.
      const [otherwise] = weeksBack === 0 ? [] : free.slice(dice.between(0, Math.max(0, free.length - 1)))
      const done = meant && (weeksBack === 0 || dice.chance(0.75)) ? meant : otherwise
      return goesWell && done ? [done.day] : []
    })
    .toReversed()
}
