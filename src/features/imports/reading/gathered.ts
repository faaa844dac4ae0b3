import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import type { ReaderContext, Reading, ReadList, ReadRow, ReadTodo } from './reading.ts'
import { readRrule } from './rrule.ts'
import { unknownBeginning } from './unknown-beginning.ts'

/** Collects what a reader finds, row by row. */
export function nothingYet(): Reading {
  return { lists: [], todos: [], habits: [], sessions: [], rows: [], notes: [], questions: [] }
}

/** A to-do with what the file says of it, and nothing for the rest. */
export function someTodo(todo: Pick<ReadTodo, 'key' | 'title'> & Partial<ReadTodo>): ReadTodo {
  return { note: '', priority: 0, tags: [], ...todo }
}

export function someList(list: Pick<ReadList, 'key' | 'name'> & Partial<ReadList>): ReadList {
  return { archived: false, ...list }
}

export function refused(row: Omit<ReadRow, 'changed' | 'becomes'>, reason: string): ReadRow {
  return { ...row, changed: [], refused: reason }
}

/** Without what ends it: '.csv', and ' (1)' where a browser has saved it a second time. */
export function nameOfFile(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(csv|ics)$/i, '')
  return name.replace(/(?<=\S) ?\(\d+\)$/, '')
}

/** The pieces of a note with a blank line between them, without those that are empty. */
export function noteOf(...pieces: readonly (string | undefined)[]): string {
  return pieces
    .map((piece) => piece?.replaceAll(/\r\n?/g, '\n').trim() ?? '')
    .filter((piece) => piece !== '')
    .join('\n\n')
}

/** A sentence that names the columns which no reader knows; none if there are none. */
export function unknownColumns(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const [column, isKnown] = names.length === 1 ? ['column', "isn't"] : ['columns', "aren't"]
  return [`The ${column} ${names.map((name) => `"${name}"`).join(', ')} ${isKnown} read.`]
}

export const becomesNote = (repeat: string) => `The repeat "${repeat}" becomes a note`

export const dateBecomesNote = (date: string) => `The date "${date}" can't be read and becomes a note`

/** What was given up is no longer open, and nothing else in Daymark. */
export const givenUp = {
  tag: "won't do",
  changed: 'It was given up: it comes as done, with the tag "won\'t do"',
}

/** When it was done: at that instant, or at the first of the others that is known. */
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

/** What a rule of a calendar makes of a to-do that is due on that day. */
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
