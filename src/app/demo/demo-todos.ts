import type { ExportedTodo } from '#features/todos/exported-todo.ts'
import { addDays, type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { type DemoDay, type Dice, diceOf, instantAt } from './demo-days.ts'

const people = ['Jonas', 'Priya', 'Lena', 'Tomás', 'Aisha', 'Mikkel', 'Sofia', 'Henrik'] as const
const papers = [
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
  ({ pick }) => `Reply to ${pick(people)} about ${pick(papers)}`,
  ({ pick }) => `Read ${pick(people)}'s draft of ${pick(papers)}`,
  ({ pick }) => `Send ${pick(papers)} to ${pick(people)}`,
  ({ pick }) => `Prepare the meeting with ${pick(people)}`,
  ({ pick }) => `Call ${pick(people)} back`,
  ({ pick }) => `Correct the numbers in ${pick(papers)}`,
  ({ pick }) =>
    `Ask ${pick(people)} for the figures of ${pick(['March', 'the summer', 'last quarter', 'the pilot'])}`,
  ({ pick }) => `Outline ${pick(papers)}`,
  ({ pick }) => `Book a room for ${pick(['the workshop', 'the review', 'the interviews', 'Thursday'])}`,
  ({ pick }) =>
    `Minutes of ${pick(['the planning', 'the review', 'the call with the printers', 'the team day'])}`,
  ({ pick }) => `Thank ${pick(people)} for the help with ${pick(papers)}`,
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

/** What comes again by itself, by its weekday. */
const everyWeek: Record<number, string> = {
  1: 'Plan the week with the team',
  2: 'Put the bins out',
  5: 'Weekly report',
  7: 'Water the plants',
}

/** What a person carries along, and has open whenever one looks: created so many days ago. */
const carriedAlong = [
  { title: 'Find a weekend for the mountains', back: 11 },
  { title: 'Choose a colour for the hall', back: 6 },
  { title: 'Read up on the new bicycle', back: 3 },
]

type Title = (dice: Dice) => string

/** Every to-do that is there at an instant of the last of the days: what is completed later is open still. */
export function demoTodos(days: readonly DemoDay[], now: Instant, zone: string): ExportedTodo[] {
  const kindOf = new Map(days.map(({ day, kind }) => [day, kind]))
  const canBeDone = (day: Day) => !['away', 'ill'].includes(kindOf.get(day) ?? 'work')
  const todos = days.flatMap((each) => todosOf(each, canBeDone, zone))
  const carried = carriedAlong.map(({ title, back }) => {
    const day = days.at(-1 - back)?.day ?? dayOf(now, zone, 0)
    return {
      title,
      dice: diceOf('carried along', title),
      created: instantAt(day, 19 * 60 + back, zone),
      done: undefined,
    }
  })
  return [...todos, ...carried]
    .filter(({ created }) => created <= now)
    .map(({ title, dice, created, done }): ExportedTodo => {
      const at = done !== undefined && done <= now ? done : undefined
      return {
        id: dice.id(created),
        title,
        completed: at === undefined ? 0 : 1,
        completed_at: at === undefined ? null : instantToWire(at),
        completed_on: at === undefined ? null : dayOf(at, zone, 0),
        created_at: instantToWire(created),
        updated_at: instantToWire(at ?? created),
      }
    })
}

interface Planned {
  title: string
  dice: Dice
  created: Instant
  done: Instant | undefined
}

function todosOf({ day, weekday, kind }: DemoDay, canBeDone: (day: Day) => boolean, zone: string): Planned[] {
  const dice = diceOf('todos', day)
  return [...titlesOf(day, weekday, kind, dice)].map((title, place) => {
    // Most are thought of in the morning, in one go.
    const minutes =
      place < 3 ? 7 * 60 + 20 + place * 4 + dice.between(0, 3) : dice.between(8 * 60 + 30, 18 * 60)
    const created = instantAt(day, minutes, zone)
    let doneOn = addDays(day, dice.chance(0.82) ? 0 : dice.between(1, dice.chance(0.3) ? 9 : 3))
    while (!canBeDone(doneOn)) doneOn = addDays(doneOn, 1)
    const hours = kind === 'work' ? 17.5 : 20
    const later = dice.between(0, 1_000) / 1_000
    // Some evenings are long: what is done after midnight is done on the next day.
    const end = doneOn === day ? Math.max(minutes + 10, (dice.chance(0.03) ? 24.6 : hours) * 60) : hours * 60
    const begin = doneOn === day ? minutes + 5 : 8 * 60
    const done = instantAt(doneOn, Math.round(begin + (end - begin) * later), zone)
    return { title, dice: diceOf('todo', day, title), created, done: done + dice.between(0, 59) * 1_000 }
  })
}

function titlesOf(day: Day, weekday: number, kind: DemoDay['kind'], dice: Dice): Set<string> {
  if (kind === 'away') return new Set(dice.chance(0.15) ? [atHome[9]?.(dice) ?? ''] : [])
  if (kind === 'ill') return new Set(dice.chance(0.3) ? ['Tell the team that I am ill'] : [])
  const titles = new Set<string>()
  const weekly = everyWeek[weekday]
  if (weekly !== undefined) titles.add(weekly)
  if (day.endsWith('-01')) titles.add('Transfer the rent')
  if (day.endsWith('-25')) titles.add('Check the bank statement')
  const count = kind === 'work' ? dice.between(3, 7) : dice.between(1, 5)
  for (let made = 0; made < count; made += 1) {
    titles.add(dice.pick(kind === 'work' && dice.chance(0.7) ? atWork : atHome)(dice))
  }
  return titles
}
