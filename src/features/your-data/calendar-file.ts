import { dueNow } from '#features/todos/repeat/rule/repeat.ts'
import { type DueRule, ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { firstOfSeries, rruleOfRule } from '#features/todos/repeat/rule/rrule-of-rule.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { ExportedAccount } from './exported-account.ts'

// The tasks as a calendar (RFC 5545), which Nextcloud, Apple, Thunderbird and Tasks.org read. Each task is a VTODO. Days are DATE
// values, so that no time zone moves them. A done or skipped occurrence is a VTODO with the same UID and the day as its
// RECURRENCE-ID.

type Todo = ExportedAccount['todos'][number]

/** The name and value of a calendar property. The value is already escaped. */
type Line = readonly [name: string, value: string]

export function calendarFile(
  { todos, lists, exported_at }: Pick<ExportedAccount, 'todos' | 'lists' | 'exported_at'>,
  today: Day,
): string {
  const names = new Map(lists.map(({ id, name }) => [id, name]))
  const stamp: Line = ['DTSTAMP', instant(exported_at)]
  const lines: Line[] = [
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Daymark//Daymark//EN'],
    ...todos.flatMap((todo) => linesOf(todo, names.get(todo.list_id ?? ''), stamp, today)),
    ['END', 'VCALENDAR'],
  ]
  return lines.map(([name, value]) => folded(`${name}:${value}`)).join('')
}

function linesOf(todo: Todo, list: string | undefined, stamp: Line, today: Day): Line[] {
  const rule = todo.repeat === null || todo.parent_id !== null ? undefined : ruleOf(todo.repeat)
  const first = rule?.mode === 'due' ? firstOfSeries(rule) : undefined
  if (rule?.mode === 'due' && first !== undefined) return [...series(todo, rule, first, list, stamp)]
  const open = rule && dueNow(rule, { occurrences: todo.days ?? [] }, today).open
  const due = rule ? (open?.due ?? null) : todo.due_day
  const words: Line[] = rule ? [['COMMENT', text(`Repeats ${repeatWords(rule)}`)]] : []
  const isDone = rule ? open === undefined : todo.completed === 1
  const at = todo.completed_at ?? todo.updated_at
  return component([
    ...common(todo, list, stamp),
    ...dueOn(due),
    ...words,
    ...(isDone ? doneAt(at) : [['STATUS', 'NEEDS-ACTION'] as const]),
    ...alarm(todo, due !== null),
  ])
}

function* series(
  todo: Todo,
  rule: DueRule,
  first: Day,
  list: string | undefined,
  stamp: Line,
): Generator<Line> {
  yield* component([
    ...common(todo, list, stamp),
    ['DTSTART;VALUE=DATE', day(first)],
    ...dueOn(first),
    ['RRULE', rruleOfRule(rule)],
    ['STATUS', 'NEEDS-ACTION'],
    ...alarm(todo, true),
  ])
  for (const { day: of, state, moved_to, at } of todo.days ?? []) {
    if (state === 'open' && moved_to === null) continue
    yield* component([
      ['UID', todo.id],
      stamp,
      ['RECURRENCE-ID;VALUE=DATE', day(of)],
      ['SUMMARY', text(todo.title)],
      ['DTSTART;VALUE=DATE', day(moved_to ?? of)],
      ...dueOn(moved_to ?? of),
      ...(state === 'done'
        ? doneAt(at)
        : [['STATUS', state === 'skipped' ? 'CANCELLED' : 'NEEDS-ACTION'] as const]),
    ])
  }
}

function component(lines: readonly Line[]): Line[] {
  return [['BEGIN', 'VTODO'], ...lines, ['END', 'VTODO']]
}

const priorities = ['', '9', '5', '1'] as const

function common(todo: Todo, list: string | undefined, stamp: Line): Line[] {
  const { id, title, note, priority, tags, parent_id, estimate, created_at, updated_at } = todo
  // Other apps name lists by their calendar, but this file is a single calendar. The list's name is a category instead.
  const categories = [...(list === undefined ? [] : [list]), ...tags]
  return [
    ['UID', id],
    stamp,
    ['CREATED', instant(created_at)],
    ['LAST-MODIFIED', instant(updated_at)],
    ['SUMMARY', text(title)],
    ...(note === '' ? [] : [['DESCRIPTION', text(note)] as const]),
    ...(priority === 0 ? [] : [['PRIORITY', priorities[priority]] as const]),
    ...(categories.length === 0 ? [] : [['CATEGORIES', categories.map(text).join()] as const]),
    ...(list === undefined ? [] : [['X-DAYMARK-LIST', text(list)] as const]),
    ...(parent_id === null ? [] : [['RELATED-TO', parent_id] as const]),
    ...(estimate === null ? [] : [['ESTIMATED-DURATION', `PT${estimate}M`] as const]),
  ]
}

function dueOn(due: Day | null): Line[] {
  return due === null ? [] : [['DUE;VALUE=DATE', day(due)]]
}

function doneAt(at: string): Line[] {
  return [
    ['STATUS', 'COMPLETED'],
    ['COMPLETED', instant(at)],
    ['PERCENT-COMPLETE', '100'],
  ]
}

/** A reminder on or before the due day, counted from the midnight at which that day begins. */
function alarm({ title, reminder, remind_at }: Todo, isDue: boolean): Line[] {
  const trigger = triggerOf(reminder, remind_at, isDue)
  if (!trigger) return []
  return [
    ['BEGIN', 'VALARM'],
    ['ACTION', 'DISPLAY'],
    ['DESCRIPTION', text(title)],
    trigger,
    ['END', 'VALARM'],
  ]
}

function triggerOf(reminder: Todo['reminder'], remindAt: string | null, isDue: boolean): Line | undefined {
  if (reminder && isDue) {
    const minutes = reminder.time - 1440 * reminder.days_before
    return ['TRIGGER;RELATED=END', `${minutes < 0 ? '-' : ''}PT${Math.abs(minutes)}M`]
  }
  return remindAt === null ? undefined : ['TRIGGER;VALUE=DATE-TIME', instant(remindAt)]
}

function day(of: Day): string {
  return of.replaceAll('-', '')
}

/** An instant in whole seconds: 20261119T233000Z. */
function instant(written: string): string {
  return `${written.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function text(value: string): string {
  return (
    value
      .replaceAll(/[\\;,]/g, '\\$&')
      .replaceAll(/\r\n|\r|\n/g, '\\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a calendar may not contain them
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  )
}

const mostOctets = 75

/** Folds a line after 75 octets; each continuation line begins with a space. No character is cut in two. */
function folded(line: string): string {
  let written = ''
  let octets = 0
  for (const character of line) {
    const size = new TextEncoder().encode(character).length
    if (octets + size > mostOctets) {
      written += '\r\n '
      octets = 1
    }
    written += character
    octets += size
  }
  return `${written}\r\n`
}
