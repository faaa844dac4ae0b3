import type { ExportedTodo } from '#features/todos/exported-todo.ts'
import { todoRow } from '#features/todos/todo-row.ts'
import { addDays, type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { valuesWhenMissing } from '#platform/wire/synced-row.ts'
import { type DemoDay, instantAt, type SeededRandom, seededRandom } from './demo-days.ts'

const people = ['Jonas', 'Priya', 'Lena', 'Tomás', 'Aisha', 'Mikkel', 'Sofia', 'Henrik'] as const
const documents = [
  'the budget',
  'the roadmap',
  'the offer',
  'the guide for newcomers',
  'the release notes',
  'the survey',
  'the contract',
  'the talk',
] as const

const atWork: readonly [Title, ...Title[]] = [
  ({ pick }) => `Reply to ${pick(people)} about ${pick(documents)}`,
  ({ pick }) => `Read ${pick(people)}'s draft of ${pick(documents)}`,
  ({ pick }) => `Send ${pick(documents)} to ${pick(people)}`,
  ({ pick }) => `Prepare the meeting with ${pick(people)}`,
  ({ pick }) => `Call ${pick(people)} back`,
  ({ pick }) => `Correct the numbers in ${pick(documents)}`,
  ({ pick }) =>
    `Ask ${pick(people)} for the figures of ${pick(['March', 'the summer', 'last quarter', 'the pilot'])}`,
  ({ pick }) => `Outline ${pick(documents)}`,
  ({ pick }) => `Book a room for ${pick(['the workshop', 'the review', 'the interviews', 'Thursday'])}`,
  ({ pick }) =>
    `Minutes of ${pick(['the planning', 'the review', 'the call with the printers', 'the team day'])}`,
  ({ pick }) => `Thank ${pick(people)} for the help with ${pick(documents)}`,
  () => 'Clear the inbox',
  () => 'File the expenses',
  () => 'Update the calendar of the team',
  () => 'Tidy the shared folder',
]

const atHome: readonly [Title, ...Title[]] = [
  ({ pick }) =>
    `Buy ${pick(['milk and bread', 'vegetables for the week', 'coffee', 'cheese and apples', 'light bulbs'])}`,
  ({ pick }) =>
    `Cook ${pick(['soup for two days', 'dinner for six', 'the lentils', 'something with the leeks'])}`,
  ({ pick }) =>
    `Book ${pick(['the dentist', 'a table for Friday', 'the train to Aarhus', 'the hairdresser', 'the climbing hall'])}`,
  ({ pick }) => `Call ${pick(['the insurance', 'Grandma', 'the landlord', 'the garage', 'the library'])}`,
  ({ pick }) =>
    `Repair ${pick(['the bicycle light', 'the kitchen drawer', 'the coat', 'the lamp in the hall'])}`,
  ({ pick }) => `Birthday present for ${pick(people)}`,
  ({ pick }) => `Return ${pick(['the library books', 'the parcel', 'the drill to Henrik', 'the bottles'])}`,
  ({ pick }) => `Clean ${pick(['the windows', 'the oven', 'the bicycle', 'the fridge', 'the bathroom'])}`,
  ({ pick }) => `Order ${pick(['contact lenses', 'a new filter', 'the school photos', 'firewood'])}`,
  ({ pick }) => `Write to ${pick(['Grandma', 'Aunt Inger', 'the neighbours', 'the choir'])}`,
  () => 'Change the bed linen',
  () => 'Collect the parcel',
  () => 'Sort the post',
  () => 'Take the coat to the cleaner',
  () => 'Swim half an hour',
]

/** What recurs every week, by weekday. */
const weeklyTasks: Record<number, string> = {
  1: 'Plan the week with the team',
  2: 'Put the bins out',
  5: 'Weekly report',
  7: 'Water the plants',
}

/** Tasks that stay open whenever anybody looks: created and due so many days before or after today. */
const openTasks: readonly { title: string; daysAgo: number; due?: number }[] = [
  { title: 'Find a weekend for the mountains', daysAgo: 11 },
  { title: 'Choose a colour for the hall', daysAgo: 6, due: 4 },
  { title: 'Read up on the new bicycle', daysAgo: 3, due: -1 },
]

type Title = (random: SeededRandom) => string

/** Every task that exists at an instant on the last of the days: whatever is completed later is still open. */
export function demoTodos(days: readonly DemoDay[], now: Instant, zone: string): ExportedTodo[] {
  const kindOf = new Map(days.map(({ day, kind }) => [day, kind]))
  const canBeDone = (day: Day) => !['away', 'ill'].includes(kindOf.get(day) ?? 'work')
  const todos = days.flatMap((each) => todosOf(each, canBeDone, zone))
  const today = dayOf(now, zone, 0)
  const open = openTasks.map(({ title, daysAgo, due }): Planned => {
    const day = days.at(-1 - daysAgo)?.day ?? today
    return {
      title,
      random: seededRandom('carried along', title),
      created: instantAt(day, 19 * 60 + daysAgo, zone),
      done: undefined,
      due: due === undefined ? null : addDays(today, due),
    }
  })
  return [...todos, ...open]
    .filter(({ created }) => created <= now)
    .map(({ title, random, created, done, due }): ExportedTodo => {
      const at = done !== undefined && done <= now ? done : undefined
      return {
        ...valuesWhenMissing(todoRow),
        id: random.id(created),
        title,
        completed: at === undefined ? 0 : 1,
        completed_at: at === undefined ? null : instantToWire(at),
        completed_on: at === undefined ? null : dayOf(at, zone, 0),
        due_day: due,
        created_at: instantToWire(created),
        updated_at: instantToWire(at ?? created),
      }
    })
}

interface Planned {
  title: string
  random: SeededRandom
  created: Instant
  done: Instant | undefined
  due: Day | null
}

function todosOf({ day, weekday, kind }: DemoDay, canBeDone: (day: Day) => boolean, zone: string): Planned[] {
  const random = seededRandom('todos', day)
  return [...titlesOf(day, weekday, kind, random)].map((title, place) => {
    // Most tasks are written down in the morning, in one go.
    const minutes =
      place < 3 ? 7 * 60 + 20 + place * 4 + random.between(0, 3) : random.between(8 * 60 + 30, 18 * 60)
    const created = instantAt(day, minutes, zone)
    let doneOn = addDays(day, random.chance(0.82) ? 0 : random.between(1, random.chance(0.3) ? 9 : 3))
    while (!canBeDone(doneOn)) doneOn = addDays(doneOn, 1)
    const hours = kind === 'work' ? 17.5 : 20
    const share = random.between(0, 1_000) / 1_000
    // Some evenings are long: what is done after midnight counts for the next day.
    const end =
      doneOn === day ? Math.max(minutes + 10, (random.chance(0.03) ? 24.6 : hours) * 60) : hours * 60
    const begin = doneOn === day ? minutes + 5 : 8 * 60
    const done = instantAt(doneOn, Math.round(begin + (end - begin) * share), zone)
    return {
      title,
      random: seededRandom('todo', day, title),
      created,
      done: done + random.between(0, 59) * 1_000,
      due: null,
    }
  })
}

function titlesOf(day: Day, weekday: number, kind: DemoDay['kind'], random: SeededRandom): Set<string> {
  if (kind === 'away') return new Set(random.chance(0.15) ? [atHome[9]?.(random) ?? ''] : [])
  if (kind === 'ill') return new Set(random.chance(0.3) ? ['Tell the team that I am ill'] : [])
  const titles = new Set<string>()
  const weekly = weeklyTasks[weekday]
  if (weekly !== undefined) titles.add(weekly)
  if (day.endsWith('-01')) titles.add('Transfer the rent')
  if (day.endsWith('-25')) titles.add('Check the bank statement')
  const count = kind === 'work' ? random.between(3, 7) : random.between(1, 5)
  for (let made = 0; made < count; made += 1) {
    titles.add(random.pick(kind === 'work' && random.chance(0.7) ? atWork : atHome)(random))
  }
  return titles
}
