import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import type { ReaderContext, Reading, ReadList, ReadRow, ReadTodo } from './reading.ts'
import { readRrule } from './rrule.ts'
import { unknownBeginning } from './unknown-beginning.ts'

/** An empty reading, to which a reader adds row by row. */
export function nothingYet(): Reading {
  return { lists: [], todos: [], habits: [], sessions: [], rows: [], notes: [], questions: [] }
}

/** A to-do with the given fields, and defaults for the others. */
export function someTodo(todo: Pick<ReadTodo, 'key' | 'title'> & Partial<ReadTodo>): ReadTodo {
  return { note: '', priority: 0, tags: [], ...todo }
}

export function someList(list: Pick<ReadList, 'key' | 'name'> & Partial<ReadList>): ReadList {
  return { archived: false, ...list }
}

export function refused(row: Omit<ReadRow, 'changed' | 'becomes'>, reason: string): ReadRow {
  return { ...row, changed: [], refused: reason }
}

/** The file's name without its ending, '.csv', and without the ' (1)' that a browser adds to a second download. */
export function nameOfFile(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(csv|ics)$/i, '')
  return name.replace(/(?<=\S) ?\(\d+\)$/, '')
}

/** Joins the parts of a note with blank lines, and drops empty parts. */
export function noteOf(...pieces: readonly (string | undefined)[]): string {
  return pieces
    .map((piece) => piece?.replaceAll(/\r\n?/g, '\n').trim() ?? '')
    .filter((piece) => piece !== '')
    .join('\n\n')
}

/** A sentence that names the columns that are not read; no sentence if `names` is empty. */
export function unknownColumns(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const [column, isKnown] = names.length === 1 ? ['column', "isn't"] : ['columns', "aren't"]
  return [`The ${column} ${names.map((name) => `"${name}"`).join(', ')} ${isKnown} read.`]
}

export const becomesNote = (repeat: string) => `The repeat "${repeat}" becomes a note`

export const dateBecomesNote = (date: string) => `The date "${date}" can't be read and becomes a note`

/** A task that was given up is imported as completed with a tag, because Daymark has no such state. */
export const givenUp = {
  tag: "won't do",
  changed: 'It was given up: it comes as done, with the tag "won\'t do"',
}

/** When the task was completed: `at` if it is known, or else the first known instant of `others`, or else now. */
export function doneAt(
  at: Instant | undefined,
  others: readonly (Instant | undefined)[],
  { timeZone, dayStart, now }: ReaderContext,
  zone = timeZone,
): { completed: NonNullable<ReadTodo['completed']>; changed: string[] } {
  const known = at ?? others.find((each) => each !== undefined) ?? now
  return {
    completed: { at: known, on: dayOf(known, zone, dayStart) },
    changed: at === undefined ? ['The file does not say when it was done'] : [],
  }
}

/** Converts an iCalendar rule into the repeat of a to-do that is due on the given day. */
export function repeatOf(
  rule: string,
  due: Day | undefined,
  context: ReaderContext,
): { repeat?: RepeatRule; due?: Day; note?: string; changed: string[] } {
  const read = readRrule(rule, due ?? context.today, context)
  if (!read) return { note: `Repeat: ${rule}`, changed: [becomesNote(rule)] }
  const isMoved = due !== undefined && read.repeat.from !== due
  return {
    repeat: read.repeat,
    due: read.repeat.from,
    changed: [
      ...read.changed,
      ...(due === undefined ? unknownBeginning(read.repeat, context.today) : []),
      ...(isMoved ? [`It is first due on ${read.repeat.from}, a day of its repeat`] : []),
    ],
  }
}
