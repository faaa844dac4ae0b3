import type { Reading, ReadList, ReadRow, ReadTodo } from '../reading.ts'

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

/** What a task without a title is told. */
export const noTitle = 'It has no title'
