import type { ExportedAccount, Imported } from '../exported-account.ts'

/** Rows by what they are. */
export interface Amounts {
  tasks: number
  habits: number
  completions: number
  sessions: number
}

export function amountsOf({ todos, habits, focus_sessions }: ExportedAccount): Amounts {
  return {
    tasks: todos.length,
    habits: habits.length,
    completions: habits.reduce((sum, { completions }) => sum + completions.length, 0),
    sessions: focus_sessions.length,
  }
}

/** What came in, rows that had been deleted here included. */
export function newOf({ todos, habits, completions, focus_sessions }: Imported): Amounts {
  return {
    tasks: todos.added + todos.restored,
    habits: habits.added + habits.restored,
    completions: completions.added,
    sessions: focus_sessions.added + focus_sessions.restored,
  }
}

export function sumOf(one: Amounts, other: Amounts): Amounts {
  return {
    tasks: one.tasks + other.tasks,
    habits: one.habits + other.habits,
    completions: one.completions + other.completions,
    sessions: one.sessions + other.sessions,
  }
}

export const nothing: Amounts = { tasks: 0, habits: 0, completions: 0, sessions: 0 }

/** '1,204 tasks, 12 habits with 4,380 completions, 310 focus sessions'; undefined where there is nothing. */
export function inWords({ tasks, habits, completions, sessions }: Amounts): string | undefined {
  const done = completions > 0 ? count(completions, 'completion') : undefined
  const parts = [
    tasks > 0 ? count(tasks, 'task') : undefined,
    habits > 0 ? [count(habits, 'habit'), done].filter(isThere).join(' with ') : done,
    sessions > 0 ? count(sessions, 'focus session') : undefined,
  ]
  const there = parts.filter(isThere)
  return there.length > 0 ? there.join(', ') : undefined
}

/**
 * What an import has come to, for someone who waited for it. Where a piece was sent again, what is missing in `came`
 * may have come in by this import as well.
 */
export function importInWords(
  inFile: Amounts,
  { came, sentAgain }: { came: Amounts; sentAgain: boolean },
): string {
  const words = inWords(came)
  if (words === undefined)
    return `Everything in this file ${sentAgain ? 'is now in your account' : 'was already in your account'}.`
  const all = (Object.keys(inFile) as (keyof Amounts)[]).every((kind) => came[kind] === inFile[kind])
  if (all) return `Imported: ${words}.`
  return `Imported: ${words}. The rest ${sentAgain ? 'is in your account too' : "was already in your account and hasn't changed"}.`
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}

function isThere(words: string | undefined): words is string {
  return words !== undefined
}
