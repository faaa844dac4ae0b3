import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { TodoReminder } from '#features/todos/todo/todo-reminder.ts'
import type { Priority } from '#features/todos/todo/todo-row.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { LineKind } from '#platform/wire/file-rows.ts'

/**
 * An opened file: its text, the texts in its zip, or the table names of an SQLite database, which is recognised but not read.
 * Files that are too large were refused before, and a byte order mark was removed.
 */
export type OpenedFile =
  | { kind: 'text'; name: string; text: string }
  | { kind: 'zip'; name: string; files: readonly TextInZip[]; others: readonly string[] }
  | { kind: 'database'; name: string; tables: readonly string[] }
export interface TextInZip {
  path: string
  text: string
}

/** Where and when a file is read, and the person's answers to the questions of an earlier reading. */
export interface ReaderContext {
  timeZone: string
  dayStart: number
  weekStart: WeekStart
  today: Day
  now: Instant
  answers: Readonly<Record<string, string>>
}

export interface Reader {
  /** The id of the app. All ids of imported rows depend on it, so it never changes. */
  source: string
  /** The app's name: 'Todoist'. */
  name: string
  /** Whether the file is from this app. Its content decides, never its name. */
  recognises(file: OpenedFile): boolean
  /**
   * The most lines of a file from an app that writes one line for each task; longer files are refused at once. Undefined: as many
   * lines as an account can have days.
   */
  mostLines?: number
  /** Reads the file, or returns one sentence about why it cannot be read. */
  read(file: OpenedFile, context: ReaderContext): Reading | { problem: string }
}

/** More than the most tasks of an account, because the description of a task may have several lines. */
export const mostLinesOfTasks = 300_000

/**
 * What a reader finds in a file. Rows refer to each other by keys made from the file. Daymark's limits are applied later, in the
 * same way for all apps.
 */
export interface Reading {
  lists: ReadList[]
  /** A parent may come after its children. Lists, tasks and habits are imported in this order. */
  todos: ReadTodo[]
  habits: ReadHabit[]
  sessions: ReadSession[]
  /**
   * Each row of the file exactly once, in the order of the file. A day of a habit on which nothing was done is such a row only if
   * the file is a table.
   */
  rows: ReadRow[]
  /** Sentences to show, such as one that names unknown columns. */
  notes: string[]
  questions: ReadQuestion[]
}

export interface ReadRow {
  /** The line in the file, or the place in the app's list, from 1. */
  line: number
  what: LineKind
  title: string
  /**
   * The key of the list, task, habit or session that the row becomes, or the `dayKey` of a habit's day. If a table says that
   * nothing was done on a day, the key of the habit. Undefined if the row is refused.
   */
  becomes?: string
  /** What is changed in the row, and why: 'The repeat "every blue moon" becomes a note'. */
  changed: string[]
  /** Why the row cannot be imported. */
  refused?: string
}

/**
 * A question about something that the file does not tell, such as its time zone. The person's answer is passed to the next
 * reading of the file.
 */
export interface ReadQuestion {
  id: string
  ask: string
  kind: 'zone' | 'column'
  options?: string[]
  /** The answer that this reading assumed, shown until the person gives another answer; undefined means 'None'. */
  assumed?: string
  examples: string[]
}

export interface ReadList {
  key: string
  name: string
  color?: number
  archived: boolean
  /** Whether the list was made from a name in other rows. No row of the file is then counted as this list. */
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
  /** The estimated time in minutes. */
  estimate?: number
  created?: Instant
  completed?: { at: Instant; on: Day }
  /** The done and skipped occurrences of a repeating to-do. */
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
  /** The amounts in thousandths. */
  amounts: { day: Day; value: number }[]
  reminder?: { time: number; weekdays: number[] }
}

export interface ReadSession {
  key: string
  /** 'hand': with a start and an end. 'total': the focus time of a day without a known start. */
  kind: 'hand' | 'total'
  start?: Instant
  end?: Instant
  /** The focused time in seconds: the sum of `days`. */
  duration: number
  days: { day: Day; seconds: number }[]
  todo?: string
  habit?: string
}

/** Returns a function that gives each item of a file its own key, made from its path. Repeated paths get a running number. */
export function keysOfPaths(): (...path: readonly string[]) => string {
  const seen = new Map<string, number>()
  return (...path) => {
    const key = JSON.stringify(path)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? key : `${key}${nth}`
  }
}

/** The key of a habit's day. */
export function dayKey(habit: string, day: Day): string {
  return `${habit}#${day}`
}
