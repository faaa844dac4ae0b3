import * as z from 'zod/mini'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { CsvTable, csvRows, isBlank } from '#features/imports/reading/csv-rows.ts'
import { notDone } from '#features/imports/reading/days-of-habit.ts'
import { jsonOf } from '#features/imports/reading/json-of.ts'
import { inOwnOrder, placesOf } from '#features/imports/reading/own-order.ts'
import {
  dayKey,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadRow,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { addDays, type Day, dayNumber, dayOf, daySchema, type Instant } from '#platform/calendar/day.ts'
import { times as inWords } from '#platform/format/words.ts'

// Habitica's Settings, Site data, offers userdata.json and history.csv. What is known of them:
// - userdata.json is the whole account; `tasks` has todos, dailys, habits and rewards. Completed to-dos are removed after 30
//   days.
// - `tasksOrder` has the ids of each kind in the order of the screen.
// - A daily has a history entry for each tick. Newer files also have one for each day that ended without a tick, and `completed`
//   tells them apart. Older entries have only `value`, Habitica's score: it rises with a tick, and falls without.
// - A habit's history entry has `scoredUp` and `scoredDown`, the presses of a day; older entries have only the score.
// - Instants are milliseconds or text. A day ends at the hour that the person chose (`preferences.dayStart`).
// - history.csv has the score as well, in the local time of the person who exported it, without a zone.

export const habitica: Reader = {
  source: 'habitica',
  name: 'Habitica',
  recognises: (file) => userDataIn(file) !== undefined || historyIn(file) !== undefined,
  read(file, context) {
    const data = userDataIn(file)
    if (data) return readUserData(data, context)
    const table = historyIn(file)
    return table ? readHistory(table, context) : { problem: 'This is no export of Habitica.' }
  },
}

const textSchema = z.catch(z.string(), '')
/** The schema of an array that leaves out damaged entries and keeps the others. */
const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.catch(z.array(z.unknown()), []),
    z.transform((entries) =>
      entries.flatMap((entry): z.output<Item>[] => {
        const { success, data } = item.safeParse(entry)
        return success ? [data] : []
      }),
    ),
  )
const whenSchema = z.catch(z.nullable(z.union([z.string(), z.number()])), null)
const entrySchema = z.object({
  date: whenSchema,
  value: z.catch(z.number(), 0),
  completed: z.catch(z.optional(z.boolean()), undefined),
  scoredUp: z.catch(z.optional(z.number()), undefined),
  scoredDown: z.catch(z.optional(z.number()), undefined),
})
type Entry = z.infer<typeof entrySchema>
const taskSchema = z.object({
  _id: textSchema,
  id: textSchema,
  text: textSchema,
  notes: textSchema,
  tags: listOf(z.string()),
  createdAt: whenSchema,
  checklist: listOf(z.object({ id: textSchema, text: textSchema, completed: z.catch(z.boolean(), false) })),
  reminders: listOf(z.object({ time: whenSchema })),
  history: listOf(entrySchema),
  date: whenSchema,
  dateCompleted: whenSchema,
  completed: z.catch(z.boolean(), false),
  up: z.catch(z.boolean(), true),
  down: z.catch(z.boolean(), false),
  frequency: textSchema,
  everyX: z.catch(z.int(), 1),
  startDate: whenSchema,
  repeat: z.catch(z.record(z.string(), z.boolean()), {}),
  daysOfMonth: listOf(z.int()),
  weeksOfMonth: listOf(z.int()),
})
type Task = z.infer<typeof taskSchema>
const userDataSchema = z.object({
  tasks: z.object({
    todos: listOf(taskSchema),
    dailys: listOf(taskSchema),
    habits: listOf(taskSchema),
    rewards: listOf(taskSchema),
  }),
  tasksOrder: z.catch(
    z.object({ habits: listOf(z.string()), dailys: listOf(z.string()), todos: listOf(z.string()) }),
    {
      habits: [],
      dailys: [],
      todos: [],
    },
  ),
  tags: listOf(z.object({ id: textSchema, name: textSchema })),
  preferences: z.catch(z.object({ dayStart: z.catch(z.optional(z.number()), undefined) }), {}),
})
type UserData = z.infer<typeof userDataSchema>

function userDataIn(file: OpenedFile): UserData | undefined {
  const data = userDataSchema.safeParse(jsonOf(file)).data
  if (!data) return undefined
  const { todos, dailys, habits, rewards } = data.tasks
  return todos.length + dailys.length + habits.length + rewards.length > 0 ? data : undefined
}

const historyColumns = ['Task Name', 'Task ID', 'Task Type', 'Date', 'Value']

function historyIn(file: OpenedFile): CsvTable | undefined {
  if (file.kind !== 'text' || !/^\W*task name/i.test(file.text)) return undefined
  const table = new CsvTable(csvRows(file.text).filter((row) => !isBlank(row)))
  return table.has(...historyColumns) ? table : undefined
}

function readUserData({ tasks, tasksOrder, tags, preferences }: UserData, context: ReaderContext): Reading {
  const account = new Account({
    ...context,
    dayStart: preferences.dayStart === undefined ? context.dayStart : preferences.dayStart * 60,
  })
  const tagNames = new Map(tags.map(({ id, name }) => [id, name]))
  for (const task of tasks.habits) account.addHabit(task)
  for (const task of tasks.dailys) account.addDaily(task)
  for (const task of tasks.todos) account.addTodo(task, tagNames)
  for (const { text } of tasks.rewards) {
    account.addRow({ what: 'other', title: text, changed: [], refused: 'Daymark has no rewards' })
  }
  const { habits, dailys, todos } = tasksOrder
  const reading = account.reading([
    'Difficulty, gold, experience and streaks of Habitica have no place here.',
  ])
  const places = placesOf([...habits, ...dailys, ...todos])
  return {
    ...reading,
    todos: inOwnOrder(reading.todos, places),
    habits: inOwnOrder(reading.habits, places),
  }
}

/** Collects the lists, to-dos and habits of a Habitica account, and a row for the preview for each of its items. */
class Account {
  readonly #context: ReaderContext
  readonly #todos: ReadTodo[] = []
  readonly #habits: ReadHabit[] = []
  readonly #rows: ReadRow[] = []
  #notDone = 0

  constructor(context: ReaderContext) {
    this.#context = context
  }

  reading(notes: string[]): Reading {
    return {
      lists: [],
      sessions: [],
      questions: [],
      todos: this.#todos,
      habits: this.#habits,
      rows: this.#rows,
      notes: [...notes, ...notDone(this.#notDone)],
    }
  }

  addRow(row: Omit<ReadRow, 'line'>): void {
    this.#rows.push({ line: this.#rows.length + 1, ...row })
  }

  addTodo(task: Task, tagNames: ReadonlyMap<string, string>): void {
    const key = keyOf(task)
    const due = this.#dateOf(task.date)
    const changed: string[] = []
    const reminder = due === undefined ? undefined : this.#timeOf(task.reminders[0]?.time ?? null)
    if (due === undefined && task.reminders.length > 0)
      changed.push('Its reminder has no due date to go with')
    if (task.reminders.length > 1) changed.push('Only its first reminder comes')
    const completedAt = instantOf(task.dateCompleted)
    const at = completedAt ?? instantOf(task.createdAt) ?? this.#context.now
    if (task.completed && completedAt === undefined)
      changed.push('The file does not say when it was completed')
    const created = instantOf(task.createdAt)
    this.#todos.push({
      key,
      title: task.text,
      note: task.notes,
      priority: 0,
      tags: task.tags.flatMap((id) => tagNames.get(id) ?? []),
      ...(due && { due }),
      ...(reminder !== undefined && { reminder: { days_before: 0, time: reminder } }),
      ...(created !== undefined && { created }),
      ...(task.completed && { completed: { at, on: this.#day(at) } }),
    })
    this.addRow({ what: 'task', title: task.text, becomes: key, changed })
    for (const [place, item] of task.checklist.entries()) {
      const itemKey = `${key}/${item.id || place}`
      this.#todos.push({
        key: itemKey,
        parent: key,
        title: item.text,
        note: '',
        priority: 0,
        tags: [],
        ...(created !== undefined && { created }),
        ...((item.completed || task.completed) && { completed: { at, on: this.#day(at) } }),
      })
      this.addRow({ what: 'subtask', title: item.text, becomes: itemKey, changed: [] })
    }
  }

  addDaily(task: Task): void {
    const changed: string[] = []
    const from = this.#dateOf(task.startDate) ?? this.#context.today
    const { rhythm, anchor } = rhythmOf(task, from, changed)
    const times = task.reminders.flatMap(({ time }) => this.#timeOf(time) ?? [])
    if (times.length > 1) changed.push('Only its first reminder comes')
    const checklist = task.checklist.map(({ text }) => `- ${text}`)
    if (checklist.length > 0) changed.push('Its checklist becomes part of the description')
    const habit = this.#habit(task, { rhythm, target: 'yes' }, anchor)
    habit.description = [task.notes, ...checklist].filter((line) => line !== '').join('\n')
    if (times[0] !== undefined) habit.reminder = { time: times[0], weekdays: [1, 2, 3, 4, 5, 6, 7] }
    this.addRow({ what: 'habit', title: task.text, becomes: habit.key, changed })
    const seen = new Set<Day>()
    const once = (day: Day) => {
      if (seen.has(day)) return 'This day stands in the file twice'
      seen.add(day)
      habit.completions.push(day)
      return undefined
    }
    let before = 0
    for (const entry of task.history) {
      const isDone = entry.completed ?? entry.value > before
      before = entry.value
      if (!isDone) this.#notDone += 1
      else this.#enter(habit, entry, once)
    }
    finish(habit, anchor)
  }

  /**
   * Adds a habit. A habit that can be pressed any number of times a day gets an amount, counted in times. A habit that is only to
   * be avoided gets a limit of 0.
   */
  addHabit(task: Task): void {
    const avoided = task.down && !task.up
    const target: Target = {
      at: avoided ? 'most' : 'least',
      amount: avoided ? 0 : 1_000,
      unit: 'times',
      per: 'day',
    }
    const created = instantOf(task.createdAt)
    const from = created === undefined ? this.#context.today : this.#day(created)
    const habit = this.#habit(task, { rhythm: { every: 1 }, target }, from)
    habit.description = task.notes
    const changed = [avoided ? 'It becomes a daily limit of 0 times' : 'It becomes a daily goal of once']
    if (task.up && task.down) changed.push('What was pressed as “−” does not come')
    this.addRow({ what: 'habit', title: task.text, becomes: habit.key, changed })
    const amountOn = new Map<Day, { day: Day; value: number }>()
    // Older histories have an entry for each press; together they make up the day's amount.
    const add = (day: Day, value: number) => {
      const known = amountOn.get(day)
      const amount = { day, value: value + (known?.value ?? 0) }
      if (known) known.value = amount.value
      else {
        amountOn.set(day, amount)
        habit.amounts.push(amount)
      }
      return undefined
    }
    let before = 0
    for (const entry of task.history) {
      const [ups, downs] =
        entry.scoredUp === undefined && entry.scoredDown === undefined
          ? [entry.value > before ? 1 : 0, entry.value < before ? 1 : 0]
          : [entry.scoredUp ?? 0, entry.scoredDown ?? 0]
      before = entry.value
      const times = avoided ? downs : ups
      if (times <= 0) this.#notDone += 1
      else this.#enter(habit, entry, (day) => add(day, Math.round(times * 1_000)))
    }
    finish(habit, from)
  }

  #habit(task: Task, rule: { rhythm: Rhythm; target: Target }, from: Day): ReadHabit {
    const created = instantOf(task.createdAt)
    const habit: ReadHabit = {
      key: keyOf(task),
      name: task.text,
      description: '',
      start: from,
      archived: false,
      ...(created !== undefined && { created }),
      rhythms: [{ from_day: from, ...rule }],
      completions: [],
      skips: [],
      notes: [],
      amounts: [],
    }
    this.#habits.push(habit)
    return habit
  }

  /** Adds a history entry. `enter` records the entry's day, or returns why that day cannot be imported. */
  #enter(habit: ReadHabit, entry: Entry, enter: (day: Day) => string | undefined): void {
    const day = this.#dayOf(entry.date)
    const row = { what: 'day', title: `${habit.name}, ${day ?? String(entry.date)}` } as const
    const refused = this.#refusalOf(day) ?? (day && enter(day))
    if (day === undefined || refused !== undefined)
      this.addRow({ ...row, changed: [], ...(refused && { refused }) })
    else this.addRow({ ...row, changed: [], becomes: dayKey(habit.key, day) })
  }

  #refusalOf(day: Day | undefined): string | undefined {
    if (day === undefined) return 'It has no date that can be read'
    return day > this.#context.today ? 'This day has not come yet' : undefined
  }

  #day(instant: Instant): Day {
    return dayOf(instant, this.#context.timeZone, this.#context.dayStart)
  }

  /** The day on which something was done; undefined if `when` cannot be read. */
  #dayOf(when: string | number | null): Day | undefined {
    const instant = instantOf(when)
    return instant === undefined ? undefined : daySchema.safeParse(this.#day(instant)).data
  }

  /**
   * Reads a date that the person chose: text without a time, or the instant of its midnight. The person's day start does not
   * shift it.
   */
  #dateOf(when: string | number | null): Day | undefined {
    if (typeof when === 'string' && /^\d{4}-\d\d-\d\d$/.test(when)) return daySchema.safeParse(when).data
    const instant = instantOf(when)
    if (instant === undefined) return undefined
    return daySchema.safeParse(dayOf(instant, this.#context.timeZone, 0)).data
  }

  /** The time of an instant, in minutes after midnight. */
  #timeOf(when: string | number | null): number | undefined {
    const instant = instantOf(when)
    if (instant === undefined) return undefined
    const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(
      this.#context.timeZone,
    )
    return hour * 60 + minute
  }
}

function keyOf({ _id, id, text }: Task): string {
  return _id || id || text
}

function instantOf(when: string | number | null): Instant | undefined {
  if (when === null || when === '') return undefined
  const instant = typeof when === 'number' ? when : Date.parse(when)
  return Math.abs(instant) < 8e15 ? Math.trunc(instant) : undefined
}

const weekdayKeys = ['m', 't', 'w', 'th', 'f', 's', 'su']

/**
 * The habit's rhythm, and the day from which the rhythm counts. Where Daymark cannot represent Habitica's rule, `changed` gets
 * the reason.
 */
function rhythmOf(task: Task, from: Day, changed: string[]): { rhythm: Rhythm; anchor: Day } {
  const every = Math.min(366, Math.max(1, task.everyX))
  if (task.frequency === 'monthly') {
    const times = Math.max(1, Math.min(28, task.daysOfMonth.length + task.weeksOfMonth.length))
    const days = Math.min(366, 30 * every)
    const rhythm: Rhythm = every === 1 ? { times, per: 'month' } : { times, days }
    changed.push(
      `Its days of the month become ${inWords(times)} ${every === 1 ? 'a month' : `in ${days} days`}`,
    )
    return { rhythm, anchor: from }
  }
  if (task.frequency === 'yearly') {
    changed.push('Once a year becomes once in 366 days')
    return { rhythm: { times: 1, days: 366 }, anchor: from }
  }
  if (task.frequency !== 'weekly') return { rhythm: { every }, anchor: from }
  const weekdays = weekdayKeys.flatMap((key, place) => (task.repeat[key] === false ? [] : [place + 1]))
  const chosen = Object.values(task.repeat).includes(true)
    ? weekdays.filter((day) => task.repeat[weekdayKeys[day - 1] ?? ''])
    : []
  if (chosen.length === 0) {
    changed.push('It was never due: it becomes daily')
    return { rhythm: { every: 1 }, anchor: from }
  }
  if (every === 1) return { rhythm: chosen.length === 7 ? { every: 1 } : { weekdays: chosen }, anchor: from }
  const days = Math.min(366, every * 7)
  const [weekday] = chosen
  if (chosen.length === 1 && weekday !== undefined) {
    // Day number 0, 1970-01-01, was a Thursday.
    const ahead = (weekday - 1 - ((dayNumber(from) + 3) % 7) + 14) % 7
    return { rhythm: { every: days }, anchor: addDays(from, ahead) }
  }
  changed.push(`Its weekdays of every ${every} weeks become ${inWords(chosen.length)} in ${days} days`)
  return { rhythm: { times: chosen.length, days }, anchor: from }
}

/**
 * Sorts the habit's days. The habit starts on the first day on which anything was done, or on its first due day if that is
 * earlier.
 */
function finish(habit: ReadHabit, from: Day): void {
  habit.completions.sort()
  habit.amounts.sort((one, other) => (one.day < other.day ? -1 : 1))
  const days = [from, habit.completions[0], habit.amounts[0]?.day]
  habit.start = days.filter((day) => day !== undefined).sort()[0] ?? from
}

function readHistory(table: CsvTable, context: ReaderContext): Reading {
  const account = new Account(context)
  const notes: string[] = []
  const unknown = table.unknown(historyColumns)
  if (unknown.length > 0)
    notes.push(`Columns that Daymark does not know are not read: ${unknown.join(', ')}.`)
  const rowsOf = Map.groupBy(table.rows, (row) => table.cell(row, 'Task ID') || table.cell(row, 'Task Name'))
  for (const [id, rows] of rowsOf) {
    const [first] = rows
    if (!first) continue
    const task = taskSchema.parse({
      _id: id,
      text: table.cell(first, 'Task Name') || 'Untitled',
      frequency: 'daily',
      history: rows.map((row) => ({
        date: instantInZone(table.cell(row, 'Date'), context.timeZone),
        value: Number(table.cell(row, 'Value')),
      })),
    })
    if (/^habit$/i.test(table.cell(first, 'Task Type'))) account.addHabit(task)
    else account.addDaily(task)
  }
  return account.reading([
    'history.csv has no rhythms and no to-dos: everything in it becomes daily. userdata.json has more.',
    ...notes,
  ])
}

/** A local time without a zone is in the person's zone. Null if the text cannot be read. */
function instantInZone(text: string, zone: string): Instant | null {
  try {
    return Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return null
  }
}
