import type { ExportedTodo } from '#features/todos/todo/exported-todo.ts'
import { todoRow } from '#features/todos/todo/todo-row.ts'
import { addDays, type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import { valuesWhenMissing } from '#platform/wire/synced-row.ts'
import { type DemoDay, instantAt, type SeededRandom, seededRandom } from './demo-days.ts'
import type { DemoListName } from './demo-lists.ts'

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

/** Tasks added every week, by weekday. */
const weeklyTasks: Record<number, Task> = {
  1: { title: 'Plan the week with the team', list: 'Work', details: { tags: ['team'], estimate: 30 } },
  5: { title: 'Weekly report', list: 'Work', details: { tags: ['team', 'writing'], estimate: 45 } },
}

/** Tasks that are open at any time. Their days count from today. */
const openTasks: readonly OpenTask[] = [
  {
    title: 'Find a weekend for the mountains',
    daysAgo: 11,
    details: {
      note: 'The hut is free from Thursday on: https://hytte.example/gjendesheim\nJonas could bring the car.',
      tags: ['friends'],
      priority: 1,
    },
    subtasks: [
      { title: 'Ask Jonas and Priya when they can', doneAgo: 8 },
      { title: 'Look up the ferry', doneAgo: 2 },
      { title: 'Book the hut' },
    ],
  },
  {
    title: 'Choose a colour for the hall',
    list: 'Home',
    daysAgo: 6,
    due: 4,
    details: { tags: ['flat'], estimate: 45 },
  },
  {
    title: 'Read up on the new bicycle',
    daysAgo: 3,
    due: -1,
    details: { tags: ['money'], estimate: 60, note: 'With a basket, and not heavier than the old one.' },
  },
  {
    title: 'Draft the plan for next year',
    list: 'Work',
    daysAgo: 4,
    due: 3,
    details: {
      note: 'Two pages at most. Lena wants to read it before the board does.',
      tags: ['team', 'writing'],
      priority: 3,
      estimate: 150,
    },
    subtasks: [
      { title: 'Collect what went well', doneAgo: 1 },
      { title: 'Get the numbers from Aisha' },
      { title: 'Send a first draft to Lena' },
    ],
  },
  { title: 'Cut back the roses', list: 'Garden', daysAgo: 9, details: { priority: 2, estimate: 90 } },
  {
    title: 'Order seeds for the spring',
    list: 'Garden',
    daysAgo: 5,
    due: 12,
    details: { note: 'Peas\nMangold\nThe small tomatoes', tags: ['errands'], estimate: 20 },
  },
]

/** Tags by the pattern of a task's title. */
const usualTags: readonly (readonly [RegExp, string])[] = [
  [/^Call /, 'calls'],
  [/^(Buy|Order|Return|Collect) /, 'errands'],
  [/^(Outline|Write to|Minutes of) /, 'writing'],
]

/** The tasks of the archived list, each done some days after the one before. */
const beforeNorway = [
  'Book the hut',
  'Waterproof the boots',
  'Buy the map of Jotunheimen',
  'Find somebody to water the plants',
  'Pack the rucksacks',
] as const

type Title = (random: SeededRandom) => string

interface Task {
  title: string
  /** The task's list; no list if left out. */
  list?: DemoListName
  details?: Details
}

type Details = Partial<Pick<ExportedTodo, 'note' | 'tags' | 'priority' | 'estimate' | 'parent_id'>>

interface OpenTask extends Task {
  daysAgo: number
  due?: number
  subtasks?: readonly { title: string; doneAgo?: number }[]
}

/** Every task that exists at an instant on the last of the days. Tasks completed after the instant are still open. */
export function demoTodos(
  days: readonly DemoDay[],
  lists: readonly { id: string; name: DemoListName }[],
  now: Instant,
  zone: string,
): ExportedTodo[] {
  const idOf = new Map(lists.map(({ id, name }) => [name, id]))
  const kindOf = new Map(days.map(({ day, kind }) => [day, kind]))
  const canBeDone = (day: Day) => !['away', 'ill'].includes(kindOf.get(day) ?? 'work')
  const todos = days.flatMap((each) => todosOf(each, canBeDone, zone))
  const today = dayOf(now, zone, 0)
  const dayBefore = (daysAgo: number) => days.at(-1 - daysAgo)?.day ?? today
  const open = openTasks.flatMap(({ title, list, daysAgo, due, details, subtasks = [] }): Planned[] => {
    const created = instantAt(dayBefore(daysAgo), 19 * 60 + daysAgo, zone)
    const parent_id = seededRandom('carried along', title).id(created)
    const task = {
      title,
      list,
      created,
      details,
      random: seededRandom('carried along', title),
      done: undefined,
      due: due === undefined ? null : addDays(today, due),
    }
    const below = subtasks.map(
      ({ title, doneAgo }, place): Planned => ({
        title,
        list,
        random: seededRandom('subtask', title),
        created: created + (1 + place) * 60_000,
        done: doneAgo === undefined ? undefined : instantAt(dayBefore(doneAgo), 18 * 60 + place, zone),
        due: null,
        details: { parent_id },
      }),
    )
    return [task, ...below]
  })
  return [...todos, ...open, ...norway(days, zone)]
    .filter(({ created }) => created <= now)
    .map(({ title, list, random, created, done, due, details }): ExportedTodo => {
      const at = done !== undefined && done <= now ? done : undefined
      const id = random.id(created)
      return {
        ...valuesWhenMissing(todoRow),
        ...(details ?? { tags: usualTags.flatMap(([words, tag]) => (words.test(title) ? [tag] : [])) }),
        id,
        title,
        completed: at === undefined ? 0 : 1,
        completed_at: at === undefined ? null : instantToWire(at),
        completed_on: at === undefined ? null : dayOf(at, zone, 0),
        due_day: due,
        list_id: (list && idOf.get(list)) ?? null,
        position: newestFirst({ id, created }),
        created_at: instantToWire(created),
        updated_at: instantToWire(at ?? created),
      }
    })
}

/** The tasks for Norway, all done before the departure. */
function norway(days: readonly DemoDay[], zone: string): Planned[] {
  return beforeNorway.flatMap((title, place): Planned[] => {
    const [created, done] = [days.at(-1 - 168 + place), days.at(-1 - 160 + 5 * place)]
    if (!created || !done) return []
    return [
      {
        title,
        list: 'Two weeks in Norway',
        random: seededRandom('norway', title),
        created: instantAt(created.day, 20 * 60 + place, zone),
        done: instantAt(done.day, 19 * 60 + 7 * place, zone),
        due: null,
      },
    ]
  })
}

interface Planned {
  title: string
  list: DemoListName | undefined
  random: SeededRandom
  created: Instant
  done: Instant | undefined
  due: Day | null
  /** The usual details if left out. */
  details?: Details | undefined
}

function todosOf({ day, weekday, kind }: DemoDay, canBeDone: (day: Day) => boolean, zone: string): Planned[] {
  const random = seededRandom('todos', day)
  return [...tasksOf(weekday, kind, random)].map(([title, list], place) => {
    const weekly = weeklyTasks[weekday]
    // Most tasks are written down in the morning, in one go.
    const minutes =
      place < 3 ? 7 * 60 + 20 + place * 4 + random.between(0, 3) : random.between(8 * 60 + 30, 18 * 60)
    const created = instantAt(day, minutes, zone)
    let doneOn = addDays(day, random.chance(0.82) ? 0 : random.between(1, random.chance(0.3) ? 9 : 3))
    while (!canBeDone(doneOn)) doneOn = addDays(doneOn, 1)
    const hours = kind === 'work' ? 17.5 : 20
    const share = random.between(0, 1_000) / 1_000
    // Some evenings are long, and tasks done after midnight count for the next day.
    const end =
      doneOn === day ? Math.max(minutes + 10, (random.chance(0.03) ? 24.6 : hours) * 60) : hours * 60
    const begin = doneOn === day ? minutes + 5 : 8 * 60
    const done = instantAt(doneOn, Math.round(begin + (end - begin) * share), zone)
    return {
      title,
      list,
      random: seededRandom('todo', day, title),
      details: weekly?.title === title ? weekly.details : undefined,
      created,
      done: done + random.between(0, 59) * 1_000,
      due: null,
    }
  })
}

/** The list of each task by title; undefined for no list. */
function tasksOf(
  weekday: number,
  kind: DemoDay['kind'],
  random: SeededRandom,
): Map<string, DemoListName | undefined> {
  if (kind === 'away') return new Map(random.chance(0.15) ? [[atHome[9]?.(random) ?? '', undefined]] : [])
  if (kind === 'ill') return new Map(random.chance(0.3) ? [['Tell the team that I am ill', 'Work']] : [])
  const tasks = new Map<string, DemoListName | undefined>()
  const weekly = weeklyTasks[weekday]
  if (weekly !== undefined) tasks.set(weekly.title, weekly.list)
  const count = kind === 'work' ? random.between(3, 7) : random.between(1, 5)
  for (let made = 0; made < count; made += 1) {
    const isWork = kind === 'work' && random.chance(0.7)
    const title = random.pick(isWork ? atWork : atHome)(random)
    // Many tasks outside work are in no list.
    tasks.set(title, isWork ? 'Work' : homeWords.test(title) ? 'Home' : undefined)
  }
  return tasks
}

const homeWords = /^(Repair|Clean|Cook|Change|Sort)/
