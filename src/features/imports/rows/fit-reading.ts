import { listColors } from '#features/lists/list/list-row.ts'
import { mostTags, sortedTags, tagSchema } from '#features/todos/todo/tags.ts'
import { longestEstimate, longestNote } from '#features/todos/todo/todo-row.ts'
import { type Day, lastChoosable } from '#platform/calendar/day.ts'
import {
  dayKey,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadList,
  type ReadRow,
  type ReadTodo,
} from '../reading/reading.ts'

// Other apps allow longer texts, deeper nesting and later dates than Daymark. This module makes a reading fit, and notes in each
// row what was changed.

/** The most rows of an account, which limit every file (`docs/limits.md`). */
const mostOf = {
  lists: 1_000,
  todos: 100_000,
  habits: 1_000,
  sessions: 100_000,
  days: 500_000,
} as const

const [longestTitle, longestListName, longestDescription, longestDayNote] = [500, 100, 5_000, 5_000]
const longestUnit = 50
/** The largest amount of a day, in thousandths. */
const mostAmount = 1_000_000_000
/** More levels than anybody nests tasks. The limit also ends the search if parents form a circle. */
const deepest = 100

type Time = Pick<ReaderContext, 'today' | 'now'>
type Kind = 'list' | 'todo' | 'habit' | 'session' | 'day'

/** Makes a reading fit Daymark's limits, or returns a sentence about why it is too much. */
export function fitReading(reading: Reading, time: Time): Reading | { problem: string } {
  const problem = tooMuch(reading)
  if (problem !== undefined) return { problem }
  const report = new FitReport()
  const lists = reading.lists.map((list, place) => fitList(list, place, report))
  const todos = onOneLevel(reading.todos, report).map((todo) => fitTodo(todo, time, report))
  const habits = reading.habits.map((habit) => fitHabit(habit, time, report))
  return { ...reading, lists, todos, habits, rows: report.in(reading) }
}

function tooMuch({ lists, todos, habits, sessions }: Reading): string | undefined {
  const days = habits.reduce(
    (sum, { completions, skips, notes, amounts }) =>
      sum + completions.length + skips.length + notes.length + amounts.length,
    0,
  )
  const counts = [
    [lists.length, 'lists', mostOf.lists],
    [todos.length, 'tasks', mostOf.todos],
    [habits.length, 'habits', mostOf.habits],
    [days, 'days of habits', mostOf.days],
    [sessions.length, 'focus sessions', mostOf.sessions],
  ] as const
  const over = counts.find(([count, , most]) => count > most)
  if (!over) return undefined
  const [count, noun, most] = over
  return `This file has ${inWords(count)} ${noun}. An account can have up to ${inWords(most)}.`
}

export function inWords(count: number): string {
  return count.toLocaleString('en')
}

/** Collects what the preview says of each row: why it is changed or refused. */
class FitReport {
  readonly #changed = new Map<string, string[]>()
  readonly #refused = new Map<string, string>()

  changed(kind: Kind, key: string, reason: string): void {
    const name = nameOf(kind, key)
    const reasons = this.#changed.get(name)
    if (reasons) reasons.push(reason)
    else this.#changed.set(name, [reason])
  }

  refused(kind: Kind, key: string, reason: string): void {
    this.#refused.set(nameOf(kind, key), reason)
  }

  /**
   * The rows with their reasons. If several rows become the same task, habit, list, session or day, only the first one gets the
   * reasons.
   */
  in(reading: Reading): ReadRow[] {
    const kinds = kindsOf(reading)
    return reading.rows.map((row) => {
      if (row.becomes === undefined) return row
      const name = nameOf(kindOfRow(row, kinds), row.becomes)
      const refused = this.#refused.get(name)
      if (refused !== undefined) return refusedRow(row, refused)
      const reasons = this.#changed.get(name)
      if (!reasons) return row
      this.#changed.delete(name)
      return { ...row, changed: [...row.changed, ...reasons] }
    })
  }
}

function nameOf(kind: Kind, key: string): string {
  return `${kind} ${key}`
}

/** The row marked as refused, so that nothing is imported for it. */
export function refusedRow({ becomes: _, ...row }: ReadRow, refused: string): ReadRow {
  return { ...row, changed: [], refused }
}

type Kinds = Record<'list' | 'todo' | 'habit' | 'session', ReadonlySet<string>>

export function kindsOf({ lists, todos, habits, sessions }: Reading): Kinds {
  const keys = (all: readonly { key: string }[]) => new Set(all.map(({ key }) => key))
  return { list: keys(lists), todo: keys(todos), habit: keys(habits), session: keys(sessions) }
}

/** The kind of thing that a row becomes. A row of kind 'other' may belong to anything. */
export function kindOfRow({ what, becomes = '' }: ReadRow, kinds: Kinds): Kind {
  if (what === 'task' || what === 'subtask') return 'todo'
  // In a table, the row of a day may become its habit, if nothing was done, or a task, if that was done.
  if (what === 'day' && kinds.habit.has(becomes)) return 'habit'
  if (what === 'day' && kinds.todo.has(becomes)) return 'todo'
  if (what !== 'other') return what
  if (kinds.todo.has(becomes)) return 'todo'
  if (kinds.habit.has(becomes)) return 'habit'
  return kinds.list.has(becomes) ? 'list' : 'session'
}

/** The text on one line, with only characters that both database engines can store. */
function oneLine(text: string): string {
  return storable(text).replaceAll(/\s+/g, ' ').trim()
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Shortens a text to at most `most` characters, without half a character at the end. */
function cut(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd()
}

function fitList(list: ReadList, place: number, report: FitReport): ReadList {
  const name = oneLine(list.name)
  if (name === '') report.changed('list', list.key, 'It has no name, and is called "Untitled"')
  if (name.length > longestListName) {
    report.changed('list', list.key, `The name is cut at ${longestListName} letters`)
  }
  const color = listColors.find((each) => each === list.color) ?? listColors[place % listColors.length] ?? 1
  return { ...list, name: cut(name, longestListName) || 'Untitled', color }
}

/** Puts parents before their children. A subtask of a subtask becomes a subtask of the topmost task. */
function onOneLevel(todos: readonly ReadTodo[], report: FitReport): ReadTodo[] {
  const byKey = new Map(todos.map((todo) => [todo.key, todo]))
  const tops: ReadTodo[] = []
  const subtasks: ReadTodo[] = []
  for (const todo of todos) {
    const { parent: named, ...alone } = todo
    const { top, levels } = topOf(todo, byKey)
    if (!top) {
      if (named !== undefined)
        report.changed('todo', todo.key, 'The task above it is missing, so it stands alone')
      tops.push(alone)
      continue
    }
    if (levels > 1)
      report.changed(
        'todo',
        todo.key,
        `It becomes a subtask of "${oneLine(top.title)}", two levels up or more`,
      )
    const { list: _, ...subtask } = todo
    subtasks.push({ ...subtask, parent: top.key, ...(top.list !== undefined && { list: top.list }) })
  }
  return [...tops, ...subtasks]
}

/**
 * The topmost task above a task, and the number of levels between them. Undefined if the task has no parent, its parent is
 * missing, or its parents form a circle.
 */
function topOf(
  todo: ReadTodo,
  byKey: ReadonlyMap<string, ReadTodo>,
): { top: ReadTodo | undefined; levels: number } {
  let top: ReadTodo | undefined
  let levels = 0
  for (let next = parentOf(todo, byKey); next && levels < deepest; next = parentOf(next, byKey)) {
    if (next.key === todo.key) return { top: undefined, levels }
    top = next
    levels += 1
  }
  return levels === deepest ? { top: undefined, levels } : { top, levels }
}

function parentOf({ parent }: ReadTodo, byKey: ReadonlyMap<string, ReadTodo>): ReadTodo | undefined {
  return parent === undefined ? undefined : byKey.get(parent)
}

function fitTodo(todo: ReadTodo, { today, now }: Time, report: FitReport): ReadTodo {
  const { key, due, reminder, repeat, estimate, completed, days, ...kept } = todo
  const say = (reason: string) => report.changed('todo', key, reason)
  const added: string[] = []
  const title = oneLine(todo.title)
  if (title === '') say('It has no title, and is called "Untitled"')
  if (title.length > longestTitle) {
    say(`The title is cut at ${longestTitle} letters; the whole of it is in the note`)
    added.push(title)
  }
  const fitting: ReadTodo = {
    ...kept,
    key,
    title: cut(title, longestTitle) || 'Untitled',
    tags: fitTags(todo.tags, say),
    ...(todo.created !== undefined && { created: Math.min(todo.created, now) }),
  }
  const repeats = repeat !== undefined && todo.parent === undefined && completed === undefined
  if (repeat !== undefined && !repeats) {
    say(completed ? 'It is done, so its repeat ends' : 'A subtask has no repeat of its own: it comes once')
  }
  const dueDay = due ?? (repeats ? repeat.from : undefined)
  const isDay = dueDay !== undefined && dueDay <= lastChoosable
  if (dueDay !== undefined && !isDay) {
    say('The due date is after 2199, and becomes a note')
    added.push(`Due ${dueDay}`)
  }
  if (isDay) fitting.due = dueDay
  if (repeats && isDay) fitting.repeat = repeat
  if (reminder && isDay) fitting.reminder = reminder
  if (reminder && !isDay) say('Its reminder goes with a due date, which it has not')
  if (estimate !== undefined && estimate >= 1) {
    fitting.estimate = Math.min(Math.round(estimate), longestEstimate)
    if (estimate > longestEstimate) say(`The estimate is cut at ${inWords(longestEstimate)} minutes`)
  }
  if (completed) {
    fitting.completed = { at: Math.min(completed.at, now), on: completed.on > today ? today : completed.on }
  }
  if (fitting.repeat && days) fitting.days = fitOccurrences(days, today)
  fitting.note = fitNote([...added, storable(todo.note)], say)
  return fitting
}

function fitTags(tags: readonly string[], say: (reason: string) => void): string[] {
  const fitting = tags.flatMap((tag) => {
    const known = tagSchema.safeParse(storable(tag)).data
    if (known !== undefined) return [known]
    const short = tagSchema.safeParse(cut(oneLine(tag), 50)).data
    if (short === undefined) return []
    say(`The tag "${short}" is cut at 50 letters`)
    return [short]
  })
  const sorted = sortedTags(fitting)
  if (sorted.length > mostTags) say(`It has ${sorted.length} tags, of which the first ${mostTags} come`)
  return sorted.slice(0, mostTags)
}

function fitNote(parts: readonly string[], say: (reason: string) => void): string {
  const note = parts.filter((part) => part.trim() !== '').join('\n\n')
  if (note.length <= longestNote) return note
  say(`The note is cut at ${inWords(longestNote)} letters`)
  return cut(note, longestNote)
}

/** The done and skipped days of a repeating task, sorted and each day once. Occurrences done in the future are left out. */
function fitOccurrences(days: NonNullable<ReadTodo['days']>, today: Day): NonNullable<ReadTodo['days']> {
  const byDay = new Map(days.map((each) => [each.day, each]))
  return [...byDay.values()]
    .filter(({ state, done_on }) => state === 'skipped' || done_on <= today)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

function fitHabit(habit: ReadHabit, { today, now }: Time, report: FitReport): ReadHabit {
  const { key } = habit
  const say = (reason: string) => report.changed('habit', key, reason)
  const name = oneLine(habit.name)
  if (name === '') say('It has no name, and is called "Untitled"')
  if (name.length > longestTitle) say(`The name is cut at ${longestTitle} letters`)
  const description = storable(habit.description).trim()
  if (description.length > longestDescription) {
    say(`The description is cut at ${inWords(longestDescription)} letters`)
  }
  const isPast = (day: Day) => {
    if (day <= today) return true
    report.refused('day', dayKey(key, day), 'This day is in the future')
    return false
  }
  const completions = [...new Set(habit.completions)].filter(isPast).toSorted()
  const done = new Set(completions)
  const skips = [...new Set(habit.skips)].filter((day) => !done.has(day)).toSorted()
  const amounts = habit.amounts
    .filter(({ day }) => isPast(day))
    .map(({ day, value }) => {
      if (value > mostAmount) report.changed('day', dayKey(key, day), 'The amount is cut at 1,000,000')
      return { day, value: Math.min(value, mostAmount) }
    })
    .toSorted(byDay)
  const rhythms = habit.rhythms.map(({ target, ...rhythm }) => {
    if (target === 'yes') return { ...rhythm, target }
    const unit = oneLine(target.unit)
    if (unit.length > longestUnit) say(`The unit is cut at ${longestUnit} letters`)
    if (target.amount > mostAmount) say('The goal is cut at 1,000,000')
    const amount = Math.min(target.amount, mostAmount)
    return { ...rhythm, target: { ...target, amount, unit: cut(unit, longestUnit) || 'times' } }
  })
  const notes = habit.notes
    .map(({ day, note }) => {
      const text = storable(note).trim()
      if (text.length > longestDayNote) {
        report.changed('day', dayKey(key, day), `The note is cut at ${inWords(longestDayNote)} letters`)
      }
      return { day, note: cut(text, longestDayNote) }
    })
    .filter(({ note }) => note !== '')
  const days = [...completions, ...amounts.map(({ day }) => day), habit.start, today].toSorted()
  return {
    ...habit,
    name: cut(name, longestTitle) || 'Untitled',
    description: cut(description, longestDescription),
    start: days[0] ?? habit.start,
    ...(habit.created !== undefined && { created: Math.min(habit.created, now) }),
    rhythms: rhythms.toSorted((one, other) => (one.from_day < other.from_day ? -1 : 1)),
    completions,
    skips,
    notes,
    amounts,
  }
}

function byDay(one: { day: Day }, other: { day: Day }): number {
  return one.day < other.day ? -1 : Number(one.day > other.day)
}
