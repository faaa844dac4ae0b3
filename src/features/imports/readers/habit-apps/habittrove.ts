import * as z from 'zod/mini'
import { DaysOfHabit } from '#features/imports/reading/days-of-habit.ts'
import { unknownColumns } from '#features/imports/reading/gathered.ts'
import { jsonOf, parseJson } from '#features/imports/reading/json-of.ts'
import type {
  OpenedFile,
  Reader,
  ReaderContext,
  ReadHabit,
  Reading,
  ReadQuestion,
  ReadRow,
  ReadTodo,
} from '#features/imports/reading/reading.ts'
import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { rhythmOfRrule } from './rhythm-of-rrule.ts'

// HabitTrove's habits.json, or a zip of its data folder. What is known of it:
// - Completions are instants in UTC. Only settings.json has the time zone, so the person is asked for it if there is only
//   habits.json.
// - frequency was 'daily', 'weekly' or 'monthly'; today it is an iCalendar rule or, for a task, the instant at which it is due.
// - targetCompletions is how often a day the habit is to be done; 1 if missing.
// - Habits are shared through userIds; all of them are imported.
// - Coins, wishes and rewards are in other files, and cannot be imported.

export const habitTrove: Reader = {
  source: 'habittrove',
  name: 'HabitTrove',
  recognises: (file) => dataOf(file) !== undefined,
  read(file, context) {
    const data = dataOf(file)
    return data ? readData(data, context) : { problem: "This isn't HabitTrove's habits.json." }
  },
}

const text = z.catch(z.string(), '')
const habitSchema = z.looseObject({
  id: z.string(),
  name: text,
  description: text,
  frequency: text,
  targetCompletions: z.catch(z.nullable(z.number()), null),
  completions: z.catch(z.array(z.unknown()), []),
  isTask: z.catch(z.boolean(), false),
  archived: z.catch(z.boolean(), false),
})
type Habit = z.infer<typeof habitSchema>
const habitsSchema = z.object({ habits: z.array(z.unknown()) })
const settingsSchema = z.object({ system: z.object({ timezone: z.string() }) })

interface Data {
  habits: unknown[]
  zone: string | undefined
}

function dataOf(file: OpenedFile): Data | undefined {
  if (file.kind === 'text') return dataOfValues([jsonOf(file)])
  if (file.kind !== 'zip') return undefined
  return dataOfValues(
    file.files.filter(({ path }) => path.toLowerCase().endsWith('.json')).map((each) => parseJson(each.text)),
  )
}

function dataOfValues(values: readonly unknown[]): Data | undefined {
  const habits = values
    .flatMap((value) => habitsSchema.safeParse(value).data ?? [])
    .find((data) => data.habits.some(isHabit))?.habits
  if (!habits) return undefined
  const [settings] = values.flatMap((value) => settingsSchema.safeParse(value).data ?? [])
  return { habits, zone: settings && normalizeTimeZone(settings.system.timezone) }
}

function isHabit(habit: unknown): boolean {
  if (typeof habit !== 'object' || habit === null) return false
  return 'completions' in habit && Array.isArray(habit.completions) && 'coinReward' in habit
}

/** The instant of a completion, as an example in the question about the time zone. */
interface Instants {
  title: string
  instant: Instant
}

function readData(data: Data, context: ReaderContext): Reading {
  const zone = data.zone ?? normalizeTimeZone(context.answers.zone ?? '') ?? context.timeZone
  const todos: ReadTodo[] = []
  const habits: ReadHabit[] = []
  const rows: ReadRow[] = []
  const instants: Instants[] = []
  const unknown = new Set<string>()
  const seen = new Set<string>()
  for (const [place, value] of data.habits.entries()) {
    const row: ReadRow = { line: place + 1, what: 'habit', title: '', changed: [] }
    const habit = habitSchema.safeParse(value).data
    if (!habit || seen.has(habit.id)) {
      const refused = habit ? 'One with its id is in the file already' : "It isn't written as a habit is"
      rows.push({ ...row, title: habit?.name ?? '', refused })
      continue
    }
    seen.add(habit.id)
    for (const name of Object.keys(habit)) if (!(name in habitSchema.shape)) unknown.add(name)
    const read = habit.isTask ? readTask(habit, zone, row) : readHabit(habit, zone, context, row)
    if ('todo' in read) todos.push(read.todo)
    else habits.push(read.habit)
    rows.push(...read.rows)
    instants.push(
      ...instantsOf(habit).flatMap(({ instant }) =>
        instant === undefined ? [] : { title: habit.name, instant },
      ),
    )
  }
  const isAsked = data.zone === undefined && instants.length > 0
  return {
    lists: [],
    todos,
    habits,
    sessions: [],
    rows,
    notes: unknownColumns([...unknown]),
    questions: isAsked ? [zoneQuestion(instants, zone)] : [],
  }
}

function instantsOf({ completions }: Habit): { written: string; instant: Instant | undefined }[] {
  return completions.map((completion) => {
    const written = String(completion)
    const instant = typeof completion === 'string' ? Date.parse(completion) : Number.NaN
    return { written, instant: Number.isNaN(instant) ? undefined : instant }
  })
}

function readHabit(
  habit: Habit,
  zone: string,
  { today }: ReaderContext,
  row: ReadRow,
): { habit: ReadHabit; rows: ReadRow[] } {
  const changed: string[] = []
  const rhythm = rhythmOfRrule(habit.frequency, changed)
  if (!rhythm) changed.push(`The rhythm “${habit.frequency}” becomes daily`)
  const times = Math.max(1, Math.round(habit.targetCompletions ?? 1))
  const isCounted = times > 1
  const days = new DaysOfHabit(habit.id, { isCounted, today })
  const dayRows = instantsOf(habit).map(({ written, instant }): ReadRow => {
    const ofDay: ReadRow = { line: row.line, what: 'day', title: `${habit.name}, ${written}`, changed: [] }
    if (instant === undefined) return { ...ofDay, refused: `“${written}” is no time` }
    const day = dayOf(instant, zone, 0)
    return { ...ofDay, title: `${habit.name}, ${day}`, ...days.done(day, 1000) }
  })
  const read = days.of({
    name: habit.name,
    description: habit.description,
    start: today,
    archived: habit.archived,
    rhythms: [],
  })
  read.rhythms = [
    {
      from_day: read.start,
      rhythm: rhythm ?? { every: 1 },
      target: isCounted ? { at: 'least', amount: 1000 * times, unit: 'times', per: 'day' } : 'yes',
    },
  ]
  return { habit: read, rows: [{ ...row, title: habit.name, becomes: habit.id, changed }, ...dayRows] }
}

/** Reads a task, which is done if it has any completion. Each completion is a row of its own. */
function readTask(habit: Habit, zone: string, row: ReadRow): { todo: ReadTodo; rows: ReadRow[] } {
  const changed: string[] = []
  const at = Date.parse(habit.frequency)
  const due: Day | undefined = Number.isNaN(at) ? undefined : dayOf(at, zone, 0)
  if (due === undefined && habit.frequency !== '') {
    changed.push(`The due date “${habit.frequency}” becomes a note`)
  }
  const note = due === undefined ? [habit.description, habit.frequency] : [habit.description]
  const instants = instantsOf(habit)
  const done = instants.flatMap(({ instant }) => instant ?? []).sort((one, other) => other - one)[0]
  if (habit.archived && done === undefined) changed.push('It was archived, and is an open task here')
  const todo: ReadTodo = {
    key: habit.id,
    title: habit.name,
    priority: 0,
    tags: [],
    note: note.filter((line) => line !== '').join('\n'),
    ...(due && { due }),
    ...(done !== undefined && { completed: { at: done, on: dayOf(done, zone, 0) } }),
  }
  const dayRows = instants.map(({ written, instant }): ReadRow => {
    const ofDay: ReadRow = { line: row.line, what: 'day', title: `${habit.name}, ${written}`, changed: [] }
    if (instant === undefined) return { ...ofDay, refused: `“${written}” is no time` }
    return { ...ofDay, becomes: habit.id }
  })
  return { todo, rows: [{ ...row, what: 'task', title: habit.name, becomes: habit.id, changed }, ...dayRows] }
}

const mostExamples = 5
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** Asks for the time zone. The examples are the completions nearest to midnight, because they tell zones apart best. */
function zoneQuestion(instants: readonly Instants[], zone: string): ReadQuestion {
  const shown = instants.map(({ title, instant }) => {
    const clock = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
    const minutes = clock.hour * 60 + clock.minute
    const wall = Date.parse(`${clock.toPlainDateTime().toString({ smallestUnit: 'second' })}Z`)
    return { fromMidnight: Math.min(minutes, 1440 - minutes), example: `${title}: ${dayFormat.format(wall)}` }
  })
  return {
    id: 'zone',
    ask: 'Which time zone were these days in?',
    kind: 'zone',
    assumed: zone,
    examples: shown
      .toSorted((one, other) => one.fromMidnight - other.fromMidnight)
      .slice(0, mostExamples)
      .map(({ example }) => example),
  }
}
