import { type CsvRow, CsvTable, csvRows, isBlank, separatorOf } from '#features/imports/reading/csv-rows.ts'
import {
  dateBecomesNote,
  nameOfFile,
  noteOf,
  nothingYet,
  refused,
  someList,
  someTodo,
  unknownColumns,
} from '#features/imports/reading/gathered.ts'
import {
  keysOfPaths,
  mostLinesOfTasks,
  type Reader,
  type ReaderContext,
  type Reading,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { orderOfDates } from '#features/imports/reading/written-times.ts'
import { type ReadDue, readDue } from '#features/imports/repeat-phrases/read-due.ts'
import { dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { wallTimeOf } from '#platform/calendar/wall-time.ts'
import type { NumberOrder } from '#platform/language/typed-date.ts'

// A CSV file for each project, or a zip file of all projects ('Name [id].csv'). Facts:
// - Columns were added over time: DESCRIPTION, DURATION, DEADLINE and others are missing in older files.
// - TYPE is task, section, note (a comment on the row above) or meta (how a project is shown). Blank rows separate them.
// - PRIORITY 4 is none and 1 the highest: the reverse of Todoist's API.
// - INDENT tells which task a subtask belongs to. A title that begins with '* ' cannot be ticked. Labels are in the title as
//   @label.
// - DATE is the text that the person typed, in the language DATE_LANG: 'every 3 days', 'jeden Freitag', '27 Jun 18:00'.
// - A comment may have several lines, and files as [[file {json}]].
// - Completed tasks, reminders, and the content of files are not in the export.

const known = [
  ...['TYPE', 'CONTENT', 'DESCRIPTION', 'IS_COLLAPSED', 'PRIORITY', 'INDENT', 'AUTHOR', 'RESPONSIBLE'],
  ...['DATE', 'DATE_LANG', 'TIMEZONE', 'DURATION', 'DURATION_UNIT', 'DEADLINE', 'DEADLINE_LANG'],
]

export const todoist: Reader = {
  source: 'todoist',
  name: 'Todoist',
  mostLines: mostLinesOfTasks,
  recognises(file) {
    return file.kind === 'text'
      ? isProject(file.text)
      : file.kind === 'zip' && file.files.some(({ text }) => isProject(text))
  },
  read(file, context) {
    const reading = nothingYet()
    const keys = keysOfPaths()
    const projects =
      file.kind === 'zip'
        ? file.files.filter(({ text }) => isProject(text))
        : file.kind === 'text'
          ? [{ path: file.name, text: file.text }]
          : []
    const dated = { ...context, numberOrder: numberOrderOf(projects.map(({ text }) => text)) }
    for (const { path, text } of projects) readProject(path, text, keys, dated, reading)
    reading.notes.push("Todoist's files hold no completed tasks, reminders or attachments.")
    if (file.kind === 'zip') {
      const others = file.files.filter(({ text }) => !isProject(text)).map(({ path }) => path)
      const left = [...others, ...file.others]
      if (left.length > 0) reading.notes.push(`Not read, since they hold no tasks: ${left.join(', ')}.`)
    }
    return { ...reading, notes: [...new Set(reading.notes)] }
  },
}

function isProject(text: string): boolean {
  return tableOf(text.slice(0, 2_000)).has('TYPE', 'CONTENT', 'PRIORITY', 'INDENT')
}

function tableOf(text: string): CsvTable {
  return new CsvTable(csvRows(text, separatorOf(text)))
}

/** The context, and the order of day and month in numeric dates, if one of the file's dates reveals that order. */
type Dated = ReaderContext & { numberOrder: NumberOrder | undefined }

function numberOrderOf(texts: readonly string[]): NumberOrder | undefined {
  const dates = texts
    .map(tableOf)
    .flatMap((table) => table.rows.flatMap((row) => [table.cell(row, 'DATE'), table.cell(row, 'DEADLINE')]))
  const told = orderOfDates(dates)
  if (told === 'Day first') return 'day first'
  return told === 'Month first' ? 'month first' : undefined
}

/** The tasks above the next row, outermost first. Any of them may be its parent. */
type Ancestors = { indent: number; key: string; path: readonly string[] }[]

function readProject(
  path: string,
  text: string,
  keys: (...path: readonly string[]) => string,
  context: Dated,
  { lists, todos, rows, notes }: Reading,
): void {
  const { name, id } = projectOf(path)
  const list = keys('project', id ?? name)
  lists.push(someList({ key: list, name, fromName: true }))
  const table = tableOf(text)
  notes.push(...unknownColumns(table.unknown(known)))
  let section: string | undefined
  let ancestors: Ancestors = []
  let last: ReadTodo | undefined
  for (const row of table.rows) {
    if (isBlank(row)) continue
    const content = table.text(row, 'CONTENT').trim()
    const line = { line: row.line, title: content }
    switch (table.cell(row, 'TYPE').toLowerCase()) {
      case 'task': {
        const indent = Number.parseInt(table.cell(row, 'INDENT'), 10) || 1
        ancestors = ancestors.filter((each) => each.indent < indent)
        const parent = ancestors.at(-1)
        const titles = [...(parent?.path ?? [list]), content]
        const { todo, changed } = readTask(table, row, keys(...titles), context)
        last = { ...todo, list, ...(parent ? { parent: parent.key } : {}) }
        if (!parent && section !== undefined) last.tags = [...last.tags, section]
        ancestors.push({ indent, key: last.key, path: titles })
        todos.push(last)
        rows.push({
          ...line,
          title: last.title,
          what: parent ? 'subtask' : 'task',
          becomes: last.key,
          changed,
        })
        break
      }
      case 'note': {
        if (!last) {
          rows.push(refused({ ...line, what: 'other' }, 'Daymark has no comments on a list'))
          break
        }
        const { note, files } = readComment(table.text(row, 'CONTENT'))
        last.note = noteOf(last.note, note)
        const changed = ['The comment becomes part of the note of its task']
        if (files.length > 0)
          changed.push(`Of ${files.join(', ')} only the address comes, since the file is not in it`)
        rows.push({ ...line, what: 'other', becomes: last.key, changed })
        break
      }
      case 'section':
        section = content === '' ? undefined : content
        ancestors = []
        last = undefined
        rows.push({
          ...line,
          what: 'other',
          becomes: list,
          changed: ['The section becomes a tag of its tasks'],
        })
        break
      case 'meta':
        rows.push(refused({ ...line, what: 'other' }, 'Daymark keeps no settings of how a list is shown'))
        break
      default:
        rows.push(
          refused({ ...line, what: 'other' }, `"${table.cell(row, 'TYPE')}" is no kind of row that is known`),
        )
    }
  }
}

/** Splits a file name such as 'Home [2203306141].csv'. */
function projectOf(path: string): { name: string; id: string | undefined } {
  const file = nameOfFile(path)
  const [, name, id] = /^(.*?)\s*\[([^[\]]+)\]$/s.exec(file) ?? []
  return { name: name || file, id }
}

function readTask(
  table: CsvTable,
  row: CsvRow,
  key: string,
  context: Dated,
): { todo: ReadTodo; changed: string[] } {
  const cell = (column: string) => table.cell(row, column)
  const content = cell('CONTENT')
  const changed: string[] = []
  const canBeTicked = !/^\*\s/.test(content)
  if (!canBeTicked) changed.push("It can't be ticked in Todoist, but here it can")
  const { title, tags } = withoutLabels(canBeTicked ? content : content.slice(1).trim())
  const added: string[] = []

  const phrase = cell('DATE')
  const due = phrase === '' ? undefined : dueOf(phrase, cell('DATE_LANG'), cell('TIMEZONE'), context)
  if (phrase !== '' && !due) {
    changed.push(dateBecomesNote(phrase))
    added.push(`Date: ${phrase}`)
  }
  changed.push(...(due?.changed ?? []))
  const deadline = cell('DEADLINE')
  const lastDay = deadline === '' ? undefined : dueOf(deadline, cell('DEADLINE_LANG'), '', context)
  if (deadline !== '') {
    const isDue = !due && lastDay !== undefined
    changed.push(isDue ? 'The deadline becomes the due date' : 'The deadline becomes a note')
    if (isDue) changed.push(...lastDay.changed)
    else added.push(`Deadline: ${deadline}`)
  }
  const estimate = estimateOf(cell('DURATION'), cell('DURATION_UNIT'))
  if (estimate === 'days') {
    changed.push('The duration becomes a note')
    added.push(`Duration: ${cell('DURATION')} days`)
  }
  const responsible = cell('RESPONSIBLE')
  if (responsible !== '') {
    changed.push('Who it is assigned to becomes a note')
    added.push(`Assigned to ${responsible}`)
  }
  const said = due ?? lastDay
  return {
    todo: someTodo({
      key,
      title,
      tags,
      priority: priorities[cell('PRIORITY')] ?? 0,
      note: noteOf(table.text(row, 'DESCRIPTION'), added.join('\n')),
      ...(said && { due: said.due }),
      ...(said?.time !== undefined && { reminder: { days_before: 0, time: said.time } }),
      ...(said?.repeat && { repeat: said.repeat }),
      ...(typeof estimate === 'number' && { estimate }),
    }),
    changed,
  }
}

const priorities: Readonly<Record<string, ReadTodo['priority']>> = { 1: 3, 2: 2, 3: 1, 4: 0 }

function dueOf(phrase: string, code: string, zone: string, context: Dated): ReadDue | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(phrase)) return readDue(phrase, code, context)
  const instant = instantFromWire(phrase)
  if (Number.isNaN(instant)) return undefined
  const { time } = wallTimeOf(instant, normalizeTimeZone(zone) ?? context.timeZone)
  return { due: dayOf(instant, normalizeTimeZone(zone) ?? context.timeZone, 0), time, changed: [] }
}

/** The estimate in minutes; 'days' if it is in days. */
function estimateOf(duration: string, unit: string): number | 'days' | undefined {
  const count = Number(duration)
  if (!(count > 0)) return undefined
  return unit.toLowerCase() === 'day' ? 'days' : Math.round(count)
}

/** Makes each '@label' a tag. A title that consists of labels only stays as it is. */
function withoutLabels(content: string): { title: string; tags: string[] } {
  const tags = [...content.matchAll(label)].flatMap(([, name]) => name ?? [])
  const title = content.replaceAll(label, '').replaceAll(/\s+/g, ' ').trim()
  return title === '' ? { title: content, tags } : { title, tags }
}

const label = /(?<!\S)@([^\s@,;]+)/gu

/** The text of a comment, in which each file is replaced by its name and URL. */
function readComment(text: string): { note: string; files: string[] } {
  const files: string[] = []
  const note = text.replaceAll(/\[\[file\s*(\{.*?\})\s*\]\]/gs, (all, json: string) => {
    const { name, url } = fileOf(json)
    if (name === undefined && url === undefined) return all
    files.push(name ?? url ?? '')
    return [name, url].filter((part) => part !== undefined).join(': ')
  })
  return { note, files }
}

function fileOf(json: string): { name?: string; url?: string } {
  const part = (name: string) => new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1]
  const [name, url] = [part('file_name'), part('file_url')].map((text) =>
    text === undefined ? undefined : String(JSON.parse(text)),
  )
  return { ...(name !== undefined && { name }), ...(url !== undefined && { url }) }
}
