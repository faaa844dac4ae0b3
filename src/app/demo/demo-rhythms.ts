import type { ExportedAmount, ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import { minutesUnit } from '#features/habits/amounts/minutes.ts'
import { positionOf } from '#features/habits/habit/habit-row.ts'
import type { ExportedPause } from '#features/habits/pauses/exported-pause.ts'
import {
  frequencyOf,
  type Rhythm,
  type RhythmRow,
  rhythmOn,
  type Target,
} from '#features/habits/rhythm/rhythm.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { unmoved } from '#platform/order/position-field.ts'
import { type DemoDay, instantAt, seededRandom } from './demo-days.ts'
import { focusedHabit } from './demo-focus.ts'

// Habits with other rhythms than every day and once a week. They have amounts, skips, notes, a pause and an archived habit, so
// that every state of a day occurs.

interface Recipe {
  name: string
  description: string
  /** Days before today on which the habit began. */
  began: number
  /** The first rhythm applies from the beginning; each later one applies since `since` days before today. */
  rhythms: readonly [
    first: { rhythm: Rhythm; target?: Target },
    ...later: { since: number; rhythm: Rhythm }[],
  ]
  /** Whether the habit is done on a day, or the amounts added that day, each with its minute of the day. */
  on(day: DemoDay, random: Random): boolean | readonly (readonly [minute: number, value: number])[]
  /** The hour by which the habit is done. */
  hour?: number
  /** Skipped days with their notes. The key is the number of days before today. */
  skips?: Readonly<Record<number, string>>
  notes?: Readonly<Record<number, string>>
  /** Amounts that were corrected in the evening. The key is the number of days before today. */
  corrected?: Readonly<Record<number, number>>
  /** Days before today on which the habit was archived. */
  archived?: number
}

type Random = ReturnType<typeof seededRandom>

const recipes: readonly Recipe[] = [
  {
    name: 'Gym',
    description: 'Squats, rows and presses',
    began: 240,
    rhythms: [{ rhythm: { times: 2, per: 'week' } }, { since: 70, rhythm: { times: 3, per: 'week' } }],
    hour: 18,
    on: ({ weekday, kind }, random) =>
      kind !== 'away' && kind !== 'ill' && [1, 3, 6].includes(weekday) && random.chance(0.88),
    skips: { 9: 'A cold', 8: 'Still a cold' },
    notes: { 23: 'New best: 80 kg' },
  },
  {
    name: 'Drink water',
    description: '',
    began: 150,
    rhythms: [{ rhythm: { every: 1 }, target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' } }],
    on: ({ kind }, random) => {
      const glasses = kind === 'away' ? random.between(2, 6) : random.between(6, 10)
      return Array.from({ length: glasses }, (_, nth) => [7 * 60 + 30 + nth * 95, 1_000] as const)
    },
    corrected: { 4: 7_500 },
  },
  {
    name: 'Coffee',
    description: 'Two cups are enough',
    began: 96,
    rhythms: [{ rhythm: { every: 1 }, target: { at: 'most', amount: 2_000, unit: 'cups', per: 'day' } }],
    on: ({ daysAgo }, random) => {
      // Cups were not counted in earlier months, and on some days there were none.
      const cups = daysAgo > 90 || random.chance(0.08) ? 0 : random.pick([1, 2, 2, 2, 3])
      return Array.from({ length: cups }, (_, nth) => [8 * 60 + nth * 170, 1_000] as const)
    },
  },
  {
    name: 'Cycle',
    description: 'On whichever days the weather allows',
    began: 320,
    rhythms: [{ rhythm: { every: 1 }, target: { at: 'least', amount: 120_000, unit: 'km', per: 'month' } }],
    on: ({ weekday, kind }, random) =>
      kind !== 'ill' && [2, 7].includes(weekday) && random.chance(0.75)
        ? [[15 * 60, random.between(90, 280) * 100] as const]
        : [],
  },
  {
    name: 'Practise the piano',
    description: '',
    began: 180,
    rhythms: [{ rhythm: { weekdays: [1, 2, 4, 5] } }],
    hour: 20,
    on: ({ weekday, kind }, random) =>
      kind === 'work' && [1, 2, 4, 5].includes(weekday) && random.chance(0.8),
    skips: { 15: 'At a concert instead' },
  },
  {
    name: 'Water the orchid',
    description: 'A small glass',
    began: 204,
    rhythms: [{ rhythm: { every: 6 } }],
    hour: 10,
    on: ({ daysAgo, kind }, random) => daysAgo % 6 === 0 && kind !== 'away' && random.chance(0.9),
  },
  {
    name: 'Change the razor',
    description: '',
    began: 120,
    rhythms: [{ rhythm: { times: 1, days: 14 } }],
    hour: 7,
    on: ({ daysAgo }) => daysAgo % 13 === 2,
  },
  {
    name: focusedHabit,
    description: 'Half an hour, however bad the sentences are',
    began: 130,
    rhythms: [
      {
        rhythm: { times: 3, per: 'week' },
        target: { at: 'least', amount: 30_000, unit: minutesUnit, per: 'day' },
      },
    ],
    // The minutes of this habit come from focus sessions.
    on: () => [],
  },
  {
    name: 'Learn to juggle',
    description: 'Three balls',
    began: 300,
    rhythms: [{ rhythm: { times: 4, per: 'week' } }],
    hour: 17,
    on: ({ daysAgo, kind }, random) => daysAgo > 200 && kind !== 'ill' && random.chance(0.6),
    archived: 198,
  },
]

/** The habits above, with everything that happened up to an instant on the last of the days, and the pause of one habit. */
export function demoRhythms(
  days: readonly DemoDay[],
  now: Instant,
  zone: string,
): { habits: ExportedHabit[]; pauses: ExportedPause[] } {
  const habits = recipes.map((recipe) => habitOf(recipe, days, now, zone))
  return {
    habits,
    pauses: habits.filter(({ name }) => name === 'Gym').map((gym) => pauseOf(gym, days, zone)),
  }
}

/** A pause during the holiday, entered on the day before. */
function pauseOf(gym: ExportedHabit, days: readonly DemoDay[], zone: string): ExportedPause {
  const away = days.filter(({ kind }) => kind === 'away')
  const [first, last] = [away[0], away.at(-1)]
  if (!first || !last) throw new Error('The holiday of the demo has to be among its days')
  const entered = instantAt(first.day, -3 * 60, zone)
  const at = instantToWire(entered)
  const id = seededRandom('pause', gym.name).id(entered)
  return { id, habit_id: gym.id, from_day: first.day, to_day: last.day, created_at: at, updated_at: at }
}

function habitOf(recipe: Recipe, days: readonly DemoDay[], now: Instant, zone: string): ExportedHabit {
  const { name, description, hour = 0, skips = {}, notes = {}, archived } = recipe
  const own = days.filter(({ daysAgo }) => daysAgo <= recipe.began)
  const [first] = own
  if (!first) throw new Error('A habit of the demo has to begin on one of its days')
  const at = (day: Day, minutes: number) => instantAt(day, minutes, zone)
  const created = at(first.day, 6 * 60 + 50)
  const id = seededRandom('habit', name).id(created)
  const created_at = instantToWire(Math.min(created, now))
  const dayOf = (ago: number | string) => own.find(({ daysAgo }) => daysAgo === Number(ago))?.day ?? first.day

  const rhythms = rhythmsOf(recipe, dayOf)
  const { rhythm, target } = rhythmOn(rhythms, days.at(-1)?.day ?? first.day)
  const completions: Day[] = []
  const amounts: ExportedAmount[] = []
  for (const each of own) {
    const random = seededRandom('habit', name, each.day)
    const happened = recipe.on(each, random)
    if (each.daysAgo in skips || happened === false) continue
    if (happened === true) {
      if (at(each.day, hour * 60) <= now) completions.push(each.day)
      continue
    }
    const adds = happened.map(([minute, value]) => entryOf(each.day, at(each.day, minute), value, random))
    amounts.push(...adds)
    const corrected = recipe.corrected?.[each.daysAgo]
    if (corrected === undefined) continue
    const set = entryOf(each.day, at(each.day, 22 * 60 + 30), corrected, random)
    amounts.push({ ...set, set: true, settles: adds.map((add) => add.id) })
  }
  const told = { ...skips, ...notes }
  return {
    id,
    name,
    description,
    start_date: first.day,
    reminder: null,
    created_at,
    frequency: frequencyOf(rhythm, target),
    rhythms,
    completions,
    position: positionOf({ id, position: unmoved, created_at }),
    archived_at: archived === undefined ? null : instantToWire(at(dayOf(archived), 9 * 60)),
    skips: inOrder(Object.keys(skips).map(dayOf)),
    notes: Object.entries(told)
      .map(([ago, note]) => ({ day: dayOf(ago), note }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    amounts: amounts
      .filter((entry) => entry.at <= instantToWire(now))
      .sort((a, b) => (`${a.day} ${a.id}` < `${b.day} ${b.id}` ? -1 : 1)),
  }
}

function rhythmsOf({ rhythms: [first, ...later], began }: Recipe, dayOf: (ago: number) => Day): RhythmRow[] {
  return [
    { from_day: dayOf(began), rhythm: first.rhythm, target: first.target ?? 'yes' },
    ...later.map(({ since, rhythm }) => ({ from_day: dayOf(since), rhythm, target: null })),
  ]
}

function entryOf(day: Day, at: Instant, value: number, random: Random): ExportedAmount {
  return { id: random.id(at), day, value, set: false, settles: [], at: instantToWire(at) }
}

function inOrder(days: readonly Day[]): Day[] {
  return days.toSorted()
}
