import { type CsvRow, CsvTable, csvRows, isBlank, separatorOf } from '#features/imports/reading/csv-rows.ts'
import {
  doneAt,
  givenUp,
  noteOf,
  nothingYet,
  repeatOf,
  someList,
  someTodo,
  unknownColumns,
} from '#features/imports/reading/gathered.ts'
import { inOwnOrder } from '#features/imports/reading/own-order.ts'
import {
  keysOfPaths,
  mostLinesOfTasks,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import { later, minutesOfDuration } from './duration.ts'

// A backup as CSV. Facts:
// - Before the header there is a preamble: the date, the version, and the states in one quoted cell of several lines.
// - Status 0 is open, 1 and 2 are done, -1 is given up. Priority is 0, 1, 3 or 5, or p1 to p3.
// - Dates are instants; a day is midnight in the zone of its row. Others are '2026-12-03 18:00:00', in that zone.
// - A checklist is in Content, with a line for each item: ▫ open, ▪ done.
// - Repeat is an iCalendar rule. Reminder has a trigger on each line, relative to the start, or to midnight for a whole day.
// - Rows are in any order. Within a list, the row with the lowest Order comes first: a task that is added on top has the lowest.
// - A child may come before its parent, and a spreadsheet may have damaged the ids.
// - Habits, focus sessions and attachments are not in the file.

const known = [
  ...[
    'Folder Name',
    'List Name',
    'Title',
    'Kind',
    'Tags',
    'Content',
    'Is Check list',
    'Start Date',
    'Due Date',
  ],
  ...['Reminder', 'Repeat', 'Priority', 'Status', 'Created Time', 'Completed Time', 'Order', 'Timezone'],
  ...[
    'Is All Day',
    'Is Floating',
    'Column Name',
    'Column Order',
    'View Mode',
    'taskId',
    'parentId',
    'projectKind',
  ],
]

export const ticktick: Reader = {
  source: 'ticktick',
  name: 'TickTick',
  mostLines: mostLinesOfTasks,
  recognises: (file) => file.kind === 'text' && tableOf(file, 4_000) !== undefined,
  read(file, context) {
    const table = tableOf(file)
    if (!table) return { problem: 'This is no backup of TickTick.' }
    const reading = nothingYet()
    const rows = table.rows.filter((row) => !isBlank(row))
    const keys = keysOfPaths()
    const keyOf = keysOfRows(table, rows, keys)
    const lists = new Map<string, string>()
    const places = new Map<string, number>()
    for (const row of rows) {
      const key = keyOf.row.get(row) ?? ''
      const names = [table.cell(row, 'Folder Name'), table.cell(row, 'List Name')].filter(
        (name) => name !== '',
      )
      const listName = names.join(' / ')
      const list = lists.get(listName) ?? keys('list', ...names)
      if (!lists.has(listName) && listName !== '') {
        lists.set(listName, list)
        reading.lists.push(someList({ key: list, name: listName, fromName: true }))
      }
      const order = table.cell(row, 'Order')
      if (/^-?\d+$/.test(order)) places.set(key, Number(order))
      const { todo, items, changed } = readTask(table, row, key, context)
      const parentId = table.cell(row, 'parentId')
      const parent = keyOf.id.get(parentId)
      if (parentId !== '' && parent === undefined)
        changed.push('The task above it is missing, so it stands alone')
      const inList = listName === '' ? {} : { list }
      reading.todos.push({ ...todo, ...inList, ...(parent === undefined ? {} : { parent }) })
      reading.rows.push({
        line: row.line,
        title: todo.title,
        what: parent === undefined ? 'task' : 'subtask',
        becomes: key,
        changed,
      })
      for (const item of items) {
        reading.todos.push({ ...item.todo, ...inList, parent: key })
        reading.rows.push({
          line: row.line,
          title: item.todo.title,
          what: 'subtask',
          becomes: item.todo.key,
          changed: item.changed,
        })
      }
    }
    reading.todos = inOwnOrder(reading.todos, places)
    reading.notes.push(
      ...unknownColumns(table.unknown(known)),
      "TickTick's file holds no habits, focus sessions or attachments.",
    )
    return reading
  },
}

/** The table without the lines above its header. The header is among the first lines. */
function tableOf(file: OpenedFile, most?: number): CsvTable | undefined {
  if (file.kind !== 'text') return undefined
  const text = file.text.slice(0, most)
  const start = text.indexOf('List Name')
  if (start < 0) return undefined
  const line = text.slice(Math.max(text.lastIndexOf('\n', start), text.lastIndexOf('\r', start)) + 1)
  const rows = csvRows(text, separatorOf(line))
  const header = rows.slice(0, 20).findIndex(({ cells }) => {
    const names = cells.map((cell) => cell.trim().toLowerCase())
    return ['list name', 'title', 'status'].every((name) => names.includes(name))
  })
  return header < 0 ? undefined : new CsvTable(rows, header)
}

/** The keys of rows. A row is named by its id if no other row has the same id, or else by its folder, list and title. */
function keysOfRows(
  table: CsvTable,
  rows: readonly CsvRow[],
  keys: (...path: readonly string[]) => string,
): { row: ReadonlyMap<CsvRow, string>; id: ReadonlyMap<string, string> } {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const id = table.cell(row, 'taskId')
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const byRow = new Map<CsvRow, string>()
  const byId = new Map<string, string>()
  for (const row of rows) {
    const id = table.cell(row, 'taskId')
    const isOwn = id !== '' && counts.get(id) === 1
    const names = ['Folder Name', 'List Name', 'Title'].map((column) => table.cell(row, column))
    const key = isOwn ? keys('task', id) : keys('task', ...names)
    byRow.set(row, key)
    if (isOwn) byId.set(id, key)
  }
  return { row: byRow, id: byId }
}

/** An item of a checklist. The preview shows it as a row, although the file has it inside the row of its task. */
type ReadItem = { todo: ReadTodo; changed: string[] }

function readTask(
  table: CsvTable,
  row: CsvRow,
  key: string,
  context: ReaderContext,
): { todo: ReadTodo; items: ReadItem[]; changed: string[] } {
  const cell = (column: string) => table.cell(row, column)
  const zone = normalizeTimeZone(cell('Timezone')) ?? context.timeZone
  const at = (column: string) => instantOf(cell(column), zone)
  const changed: string[] = []
  const added: string[] = []
  const tags = cell('Tags')
    .split(/[,，]/)
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '')
  const column = cell('Column Name')
  if (column !== '') {
    tags.push(column)
    changed.push(`The section "${column}" becomes a tag`)
  }
  if (/^note$/i.test(cell('Kind'))) changed.push('A note becomes a task')

  const created = at('Created Time')
  const [start, end] = [at('Start Date'), at('Due Date')]
  for (const [name, instant] of [
    ['Start Date', start],
    ['Due Date', end],
  ] as const) {
    if (cell(name) !== '' && instant === undefined) {
      changed.push(`The ${name.toLowerCase()} "${cell(name)}" becomes a note`)
      added.push(`${name}: ${cell(name)}`)
    }
  }
  const isAllDay = isYes(cell('Is All Day'))
  const wall = end ?? start
  const due = wall === undefined ? undefined : wallTimeOf(wall, zone)
  const begins = start === undefined ? due : wallTimeOf(start, zone)
  let estimate: number | undefined
  if (due && begins && begins.day !== due.day) {
    changed.push('The start date becomes a note')
    added.push(`Starts on ${begins.day}`)
  } else if (!isAllDay && start !== undefined && end !== undefined && end > start) {
    estimate = (end - start) / 60_000
  }
  const rule = cell('Repeat')
  const repeats = rule === '' ? undefined : repeatOf(rule, due?.day, { ...context, timeZone: zone })
  changed.push(...(repeats?.changed ?? []))
  added.push(...(repeats?.note === undefined ? [] : [repeats.note]))

  const status = Number.parseInt(cell('Status'), 10) || 0
  const done = status === 0 ? undefined : doneAt(at('Completed Time'), [end, created], context, zone)
  if (status < 0) {
    tags.push(givenUp.tag)
    changed.push(givenUp.changed)
  }
  changed.push(...(done?.changed ?? []))
  const reminded = due && begins && reminderOf(cell('Reminder'), { due, begins, isAllDay })
  changed.push(...(reminded?.changed ?? []))

  const { note, items } = readContent(table.text(row, 'Content'), isYes(cell('Is Check list')))
  const dueDay = repeats?.due ?? due?.day
  return {
    todo: someTodo({
      key,
      title: cell('Title'),
      tags,
      priority: priorities[cell('Priority').toLowerCase()] ?? 0,
      note: noteOf(note, added.join('\n')),
      ...(dueDay && { due: dueDay }),
      ...(reminded?.reminder && { reminder: reminded.reminder }),
      ...(repeats?.repeat && { repeat: repeats.repeat }),
      ...(estimate !== undefined && { estimate }),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
    }),
    items: items.map(({ title, isDone }, place) => {
      const itemDone = isDone ? (done ?? doneAt(undefined, [created], context, zone)) : undefined
      const todo = someTodo({
        key: `${key}#${place + 1}`,
        title,
        ...(created !== undefined && { created }),
        ...(itemDone && { completed: itemDone.completed }),
      })
      return { todo, changed: itemDone?.changed ?? [] }
    }),
    changed,
  }
}

const priorities: Readonly<Record<string, ReadTodo['priority']>> = {
  0: 0,
  1: 1,
  3: 2,
  5: 3,
  p1: 3,
  p2: 2,
  p3: 1,
  p4: 0,
}

function isYes(cell: string): boolean {
  return /^(y|yes|true|1)$/i.test(cell)
}

/** Reads '2018-12-11T23:00:00+0000', or '2018-12-12 00:00:00' in the given zone. */
function instantOf(text: string, zone: string): Instant | undefined {
  const [, day, time = '00:00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? []
  if (day === undefined) return undefined
  const instant = Date.parse(`${day}T${time}${offset?.replace(/(\d\d):?(\d\d)$/, '$1:$2') ?? 'Z'}`)
  if (Number.isNaN(instant)) return undefined
  return offset === undefined ? instantOfWallTime(wallTimeOf(instant, 'UTC'), zone) : instant
}

/** The first reminder. A task that has a time but no reminder gets one at that time, which would be lost otherwise. */
function reminderOf(
  text: string,
  { due, begins, isAllDay }: { due: WallTime; begins: WallTime; isAllDay: boolean },
): Pick<ReadTodo, 'reminder'> & { changed: string[] } {
  const triggers = text.split(/[\s,]+/).filter((line) => line !== '')
  const [first] = triggers
  if (first === undefined) {
    if (isAllDay || begins.day !== due.day) return { changed: [] }
    return { reminder: { days_before: 0, time: begins.time }, changed: ['Its time becomes a reminder'] }
  }
  const minutes = minutesOfDuration(first.replace(/^TRIGGER:/i, ''))
  const wall =
    minutes === undefined ? undefined : later({ ...begins, time: isAllDay ? 0 : begins.time }, minutes)
  const reminder = wall && reminderAt(wall, due.day)
  if (!reminder) return { changed: [`The reminder "${first}" does not come`] }
  return { reminder, changed: triggers.length > 1 ? ['Of several reminders the first comes'] : [] }
}

/** The note, and the items of a checklist. In a checklist, the other lines are the note. */
function readContent(
  text: string,
  isChecklist: boolean,
): { note: string; items: { title: string; isDone: boolean }[] } {
  if (!isChecklist && !/^[▫▪]/m.test(text)) return { note: text, items: [] }
  const lines = text.split(/\r\n|\r|\n/)
  return {
    note: lines.filter((line) => !/^\s*[▫▪]/.test(line)).join('\n'),
    items: lines.flatMap((line) => {
      const [, sign, title = ''] = /^\s*([▫▪])\uFE0E?\uFE0F?\s*(.*)$/.exec(line) ?? []
      return sign === undefined || title.trim() === '' ? [] : [{ title: title.trim(), isDone: sign === '▪' }]
    }),
  }
}
