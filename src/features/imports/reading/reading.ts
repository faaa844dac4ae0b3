import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { TodoReminder } from '#features/todos/todo/todo-reminder.ts'
import type { Priority } from '#features/todos/todo/todo-row.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { LineKind } from '#platform/wire/file-rows.ts'

/**
 * A file as it was opened: its text, the texts that its zip holds, or the names of the tables of an SQLite database, which is
 * recognised but not read. Its size was bounded before it was read. A byte order mark is gone.
 */
export type OpenedFile =
  | { kind: 'text'; name: string; text: string }
  | { kind: 'zip'; name: string; files: readonly TextInZip[]; others: readonly string[] }
  | { kind: 'database'; name: string; tables: readonly string[] }
export interface TextInZip {
  path: string
  text: string
}

/** Where and when a file is read, and what the person answered to the questions of the reading before. */
export interface ReaderContext {
  timeZone: string
  dayStart: number
  weekStart: WeekStart
  today: Day
  now: Instant
  answers: Readonly<Record<string, string>>
}

export interface Reader {
  /** Part of every id that is made from it, so it never changes. */
  source: string
  /** As the person knows it: 'Todoist'. */
  name: string
  /** By the content, never by the name. */
  recognises(file: OpenedFile): boolean
  /** For files with a line for each task: those that are longer are refused at once. The others can have as many as there are days. */
  mostLines?: number
  /** What is in the file, or one sentence about why it cannot be read. */
  read(file: OpenedFile, context: ReaderContext): Reading | { problem: string }
}

/** A description of a task can be of several lines. */
export const mostLinesOfTasks = 300_000

/** What a reader makes of a file, by the source's own keys. Bounds of Daymark are applied later, to all sources alike. */
export interface Reading {
  lists: ReadList[]
  /** Parents need not stand before their children. Of lists, tasks and habits the order is that in which they will stand. */
  todos: ReadTodo[]
  habits: ReadHabit[]
  sessions: ReadSession[]
  /** Each row of the file exactly once, in the order of the file. A habit's day on which nothing was done is none, but in a table. */
  rows: ReadRow[]
  /** Sentences to show, such as one that names the unknown columns. */
  notes: string[]
  questions: ReadQuestion[]
}

export interface ReadRow {
  /** Of the file, or the place in the source's list, from 1. */
  line: number
  what: LineKind
  title: string
  /** The key of what it becomes, or `dayKey` of a habit's day; in a table, of a day on which nothing was done, its habit's. A row that is refused becomes nothing. */
  becomes?: string
  /** Why it comes changed: 'The repeat "every blue moon" becomes a note'. */
  changed: string[]
  /** Why it cannot come. */
  refused?: string
}

/** What cannot be known from the file, such as its time zone. Its answer is in the context of the next reading. */
export interface ReadQuestion {
  id: string
  ask: string
  kind: 'zone' | 'column'
  options?: string[]
  /** What the file was read with, as long as the person says nothing else; nothing is 'None'. */
  assumed?: string
  examples: string[]
}

export interface ReadList {
  key: string
  name: string
  color?: number
  archived: boolean
  /** Made from a name in the rows; no row of the file is this list. */
  fromName?: boolean
}

export interface ReadTodo {
  key: string
  parent?: string
  list?: string
  title: string
  note: string
  priority: Priority
  tags: string[]
  due?: Day
  reminder?: TodoReminder
  repeat?: RepeatRule
  /** In minutes. */
  estimate?: number
  created?: Instant
  completed?: { at: Instant; on: Day }
  /** What became of the occurrences of one that repeats. */
  days?: { day: Day; state: 'done' | 'skipped'; done_on: Day }[]
}

export interface ReadHabit {
  key: string
  name: string
  description: string
  start: Day
  archived: boolean
  created?: Instant
  rhythms: { from_day: Day; rhythm: Rhythm; target: Target }[]
  completions: Day[]
  skips: Day[]
  notes: { day: Day; note: string }[]
  /** In thousandths. */
  amounts: { day: Day; value: number }[]
  reminder?: { time: number; weekdays: number[] }
}

export interface ReadSession {
  key: string
  /** A total is the time of a day, of which nobody knows when it began. */
  kind: 'hand' | 'total'
  start?: Instant
  end?: Instant
  /** In seconds, of which `days` adds up. */
  duration: number
  days: { day: Day; seconds: number }[]
  todo?: string
  habit?: string
}

/** Gives each thing of a file a key of its own: the first of equal paths has the path itself, the others a running number. */
export function keysOfPaths(): (...path: readonly string[]) => string {
  const seen = new Map<string, number>()
  return (...path) => {
    const key = JSON.stringify(path)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? key : `${key}${nth}`
  }
}

/** What the row of a habit's day becomes. */
export function dayKey(habit: string, day: Day): string {
  return `${habit}#${day}`
}
