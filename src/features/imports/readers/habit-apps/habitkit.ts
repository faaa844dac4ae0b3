import * as z from 'zod/mini'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { DaysOfHabit, notDone } from '#features/imports/reading/days-of-habit.ts'
import { unknownColumns } from '#features/imports/reading/gathered.ts'
import { jsonOf } from '#features/imports/reading/json-of.ts'
import type {
  OpenedFile,
  Reader,
  ReaderContext,
  ReadHabit,
  Reading,
  ReadRow,
} from '#features/imports/reading/reading.ts'
import { type Day, dayFromNumber, dayOf, type Instant } from '#platform/calendar/day.ts'

// HabitKit's export as JSON. What is known of it:
// - A completion has an instant and the offset of the zone in which it was entered; together they give the day. Several on a day
//   add up.
// - 'intervals' are the goals of a habit, one after another. A goal that begins one second before midnight applies from the next
//   day on.
// - A goal has a number of times per day, and a number of days per week or month. Type 'none' has no streak, and becomes daily
//   here.
// - An inverse habit is one to avoid: a completion is a slip, and a day without a completion is kept.
// - Only orderIndex gives the order of habits. A completion may belong to a deleted habit.
// - Colours, icons and categories of habits cannot be imported.

export const habitKit: Reader = {
  source: 'habitkit',
  name: 'HabitKit',
  recognises: (file) => exportOf(file) !== undefined,
  read(file, context) {
    const found = exportOf(file)
    return found ? new HabitKitReading(found, context).read() : { problem: 'This is no export of HabitKit.' }
  },
}

const text = z.catch(z.string(), '')
const whole = z.catch(z.nullable(z.int()), null)
const habitSchema = z.looseObject({
  id: z.string(),
  name: text,
  description: text,
  archived: z.catch(z.boolean(), false),
  isInverse: z.catch(z.boolean(), false),
  orderIndex: z.catch(z.number(), Number.POSITIVE_INFINITY),
  createdAt: text,
})
const completionSchema = z.object({
  date: text,
  habitId: text,
  timezoneOffsetInMinutes: z.catch(z.nullable(z.number()), null),
  amountOfCompletions: z.catch(z.number(), 1),
  note: text,
})
const intervalSchema = z.object({
  habitId: text,
  startDate: text,
  type: text,
  requiredNumberOfCompletions: whole,
  requiredNumberOfCompletionsPerDay: whole,
})
const reminderSchema = z.object({
  habitId: text,
  weekdayIndices: z.catch(z.array(z.int()), []),
  hour: z.catch(z.int(), -1),
  minute: z.catch(z.int(), -1),
})
const list = z.catch(z.array(z.unknown()), [])
const exportSchema = z.looseObject({
  habits: z.array(z.unknown()),
  completions: z.array(z.unknown()),
  intervals: list,
  reminders: list,
  categories: list,
  categoryMappings: list,
})
type Export = z.infer<typeof exportSchema>
type Habit = z.infer<typeof habitSchema>
type Completion = z.infer<typeof completionSchema>
type Interval = z.infer<typeof intervalSchema>

/** The export, if it is HabitKit's. Other apps have habits and completions too, but not with these field names. */
function exportOf(file: OpenedFile): Export | undefined {
  const found = exportSchema.safeParse(jsonOf(file)).data
  if (!found) return undefined
  const named = (rows: readonly unknown[], ...names: string[]) =>
    rows.some((row) => typeof row === 'object' && row !== null && names.every((name) => name in row))
  const isFromHabitKit =
    named(found.habits, 'isInverse') ||
    named(found.completions, 'habitId', 'amountOfCompletions') ||
    named(found.intervals, 'habitId', 'requiredNumberOfCompletionsPerDay')
  return isFromHabitKit ? found : undefined
}

interface Found {
  habit: Habit
  isCounted: boolean
  created: Instant | undefined
  days: DaysOfHabit
  rhythms: ReadHabit['rhythms']
  reminder?: NonNullable<ReadHabit['reminder']>
}

const unit = 'times'
const millisecondsPerDay = 24 * 60 * 60 * 1000

class HabitKitReading {
  readonly #export: Export
  readonly #context: ReaderContext
  readonly #found = new Map<string, Found>()
  #notDone = 0

  constructor(found: Export, context: ReaderContext) {
    this.#export = found
    this.#context = context
  }

  read(): Reading {
    const { habits, completions, intervals, reminders, categories, categoryMappings } = this.#export
    const all = completions.map((completion) => completionSchema.safeParse(completion).data)
    const goals = intervals.map((interval) => intervalSchema.safeParse(interval).data)
    const rows = [
      ...habits.map((habit, place) => this.#readHabit(habit, place, all, goals)),
      ...all.flatMap((completion, place) => this.#readCompletion(completion, place) ?? []),
      ...goals.map((interval, place) => this.#readInterval(interval, place)),
      ...reminders.map((reminder, place) => this.#readReminder(reminder, place)),
      ...categories.map((_, place) => withoutPlace(place, 'A category')),
      ...categoryMappings.map((_, place) => withoutPlace(place, 'The category of a habit')),
    ]
    const found = [...this.#found.values()].toSorted(
      (one, other) => one.habit.orderIndex - other.habit.orderIndex,
    )
    return {
      lists: [],
      todos: [],
      habits: found.map((each) => this.#finished(each)),
      sessions: [],
      rows,
      notes: [...unknownColumns(this.#unknown()), ...notDone(this.#notDone)],
      questions: [],
    }
  }

  #readHabit(
    value: unknown,
    place: number,
    completions: readonly (Completion | undefined)[],
    intervals: readonly (Interval | undefined)[],
  ): ReadRow {
    const line = place + 1
    const habit = habitSchema.safeParse(value).data
    if (!habit)
      return { line, what: 'habit', title: '', changed: [], refused: "It isn't written as a habit is" }
    const row: ReadRow = { line, what: 'habit', title: habit.name, changed: [] }
    if (this.#found.has(habit.id)) return { ...row, refused: 'A habit with its id is in the file already' }
    const own = intervals.filter((interval) => interval?.habitId === habit.id)
    const isCounted =
      habit.isInverse ||
      own.some((interval) => (interval?.requiredNumberOfCompletionsPerDay ?? 1) > 1) ||
      completions.some((each) => each?.habitId === habit.id && each.amountOfCompletions > 1)
    const created = Date.parse(habit.createdAt)
    this.#found.set(habit.id, {
      habit,
      isCounted,
      created: Number.isNaN(created) ? undefined : created,
      days: new DaysOfHabit(habit.id, { isCounted, today: this.#context.today }),
      rhythms: [],
    })
    if (habit.isInverse) row.changed.push('It is to be avoided: days without an entry count as kept')
    return { ...row, becomes: habit.id }
  }

  /** Reads a completion. Undefined if nothing was done and there is no note. */
  #readCompletion(completion: Completion | undefined, place: number): ReadRow | undefined {
    const row: ReadRow = { line: place + 1, what: 'day', title: '', changed: [] }
    if (!completion) return { ...row, refused: "It isn't written as a day is" }
    const found = this.#found.get(completion.habitId)
    const day = this.#dayOf(completion)
    const title = [found?.habit.name, day ?? completion.date].filter((part) => part).join(', ')
    if (!found) return { ...row, title, refused: 'Its habit is not in the file' }
    if (!day) return { ...row, title, refused: `“${completion.date}” is no day` }
    const { amountOfCompletions: amount, note } = completion
    if (amount > 0 || (found.isCounted && found.habit.isInverse)) {
      return { ...row, title, ...found.days.done(day, Math.round(1000 * Math.max(0, amount)), note.trim()) }
    }
    const undone = found.days.undone(day, note.trim())
    if (undone) return { ...row, title, ...undone }
    this.#notDone += 1
    return undefined
  }

  #dayOf({ date, timezoneOffsetInMinutes: offset }: Completion): Day | undefined {
    const instant = Date.parse(date)
    if (Number.isNaN(instant)) return undefined
    if (offset === null) return dayOf(instant, this.#context.timeZone, 0)
    // Plain arithmetic: a file may have tens of thousands of days, and with time zones each takes a hundred times as long.
    return dayFromNumber(Math.floor((instant + offset * 60_000) / millisecondsPerDay))
  }

  #readInterval(interval: Interval | undefined, place: number): ReadRow {
    const row: ReadRow = { line: place + 1, what: 'other', title: 'A goal', changed: [] }
    const found = interval && this.#found.get(interval.habitId)
    if (!found) return { ...row, refused: 'Its habit is not in the file' }
    const title = `The goal of ${found.habit.name}`
    const start = Date.parse(interval.startDate)
    if (Number.isNaN(start)) return { ...row, title, refused: `“${interval.startDate}” is no day` }
    const from_day = dayOf(start + 1_000, this.#context.timeZone, 0)
    const changed: string[] = []
    found.rhythms.push({ from_day, ...ruleOf(interval, found, changed) })
    return { ...row, title, becomes: found.habit.id, changed }
  }

  #readReminder(value: unknown, place: number): ReadRow {
    const row: ReadRow = { line: place + 1, what: 'other', title: 'A reminder', changed: [] }
    const reminder = reminderSchema.safeParse(value).data
    const found = reminder && this.#found.get(reminder.habitId)
    if (!found) return { ...row, refused: 'Its habit is not in the file' }
    const title = `The reminder of ${found.habit.name}`
    const { hour, minute } = reminder
    const weekdays = weekdaysOf(reminder.weekdayIndices)
    const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60
    if (!isTime || weekdays.length === 0) return { ...row, title, refused: 'It names no time or no weekday' }
    const time = hour * 60 + minute
    const before = found.reminder
    if (before && before.time !== time) {
      return { ...row, title, refused: 'A habit has one reminder, at the same time on all of its days' }
    }
    found.reminder = { time, weekdays: [...new Set([...(before?.weekdays ?? []), ...weekdays])].sort() }
    return { ...row, title, becomes: found.habit.id }
  }

  #finished({ habit, isCounted, created, days, rhythms, reminder }: Found): ReadHabit {
    const start = created === undefined ? this.#context.today : dayOf(created, this.#context.timeZone, 0)
    const first = rhythms.map(({ from_day }) => from_day).sort()[0]
    const begun = days.of({
      name: habit.name,
      description: habit.description,
      start: first && first < start ? first : start,
      archived: habit.archived,
      ...(created !== undefined && { created }),
      rhythms: byDay(rhythms),
      ...(reminder && { reminder }),
    })
    const rule = { rhythm: { every: 1 }, target: targetOf({ habit, isCounted }, 1) } satisfies Rule
    if (begun.rhythms.length === 0) begun.rhythms = [{ from_day: begun.start, ...rule }]
    // Daymark ignores the days before a habit's first entry, but an inverse habit was kept on them. An entry of 0 on the start
    // day makes them count.
    const isOpen = habit.isInverse && begun.start <= this.#context.today
    if (isOpen && begun.amounts[0]?.day !== begun.start) {
      begun.amounts = [{ day: begun.start, value: 0 }, ...begun.amounts]
    }
    return begun
  }

  #unknown(): string[] {
    const known = [...Object.keys(habitSchema.shape), ...Object.keys(exportSchema.shape)]
    const names = [...this.#found.values()].flatMap(({ habit }) => Object.keys(habit))
    return [...new Set([...Object.keys(this.#export), ...names])].filter((name) => !known.includes(name))
  }
}

interface Rule {
  rhythm: Rhythm
  target: Target
}

function ruleOf(interval: Interval, found: Pick<Found, 'habit' | 'isCounted'>, changed: string[]): Rule {
  const target = targetOf(found, interval.requiredNumberOfCompletionsPerDay ?? 1)
  const per = interval.type === 'week' || interval.type === 'month' ? interval.type : undefined
  if (!per) return { rhythm: { every: 1 }, target }
  const asked = Math.max(1, interval.requiredNumberOfCompletions ?? 1)
  const times = Math.min(asked, per === 'week' ? 7 : 28)
  if (times !== asked) changed.push(`${asked} times a ${per} become ${times}`)
  return { rhythm: { times, per }, target }
}

function targetOf({ habit, isCounted }: Pick<Found, 'habit' | 'isCounted'>, times: number): Target {
  if (!isCounted) return 'yes'
  const asked = Math.max(1, times)
  if (habit.isInverse) return { at: 'most', amount: 1000 * (asked - 1), unit, per: 'day' }
  return { at: 'least', amount: 1000 * asked, unit, per: 'day' }
}

/** If several goals begin on one day, the last one counts. */
function byDay(rhythms: ReadHabit['rhythms']): ReadHabit['rhythms'] {
  const lastOf = new Map(rhythms.map((rhythm) => [rhythm.from_day, rhythm]))
  return [...lastOf.values()].sort((one, other) => (one.from_day < other.from_day ? -1 : 1))
}

/** Weekdays from 1 (Monday) to 7. Files that contain a 0 count from 0 to 6. */
function weekdaysOf(indices: readonly number[]): number[] {
  const shift = indices.includes(0) ? 1 : 0
  return [...new Set(indices.map((index) => index + shift))].filter((day) => day >= 1 && day <= 7).sort()
}

function withoutPlace(place: number, title: string): ReadRow {
  return { line: place + 1, what: 'other', title, changed: [], refused: 'Habits have no categories here' }
}
