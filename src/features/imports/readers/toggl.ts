import { dayOf } from '#platform/calendar/day.ts'
import { type CsvRow, CsvTable, csvRows, isBlank, separatorOf } from '../reading/csv-rows.ts'
import { unknownColumns } from '../reading/gathered.ts'
import {
  keysOfPaths,
  mostLinesOfTasks,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type Reading,
  type ReadList,
  type ReadQuestion,
  type ReadRow,
  type ReadSession,
  type ReadTodo,
} from '../reading/reading.ts'
import { timedSession } from '../reading/timed-sessions.ts'
import {
  clockIn,
  type DateOrder,
  dateOrders,
  durationIn,
  orderOfDates,
  timeIn,
  type WrittenTime,
} from '../reading/written-times.ts'

// Toggl Track's detailed report as CSV. What is known of it:
// - It begins with a byte order mark. Not every file has the columns Client, Task, Tags and 'Amount (EUR)'.
// - Times are in the person's time zone, which the file does not name.
// - Words such as Yes and No in Billable are in the person's language, so they are not read.
// - A report of a workspace has the entries of everybody in it.
// - Dates have the format of the person's profile: 2026-11-20, 20/11/2026, 11/20/2026 or 20.11.2026.

export const toggl: Reader = {
  source: 'toggl',
  name: 'Toggl Track',
  mostLines: mostLinesOfTasks,
  recognises: (file) => tablesOf(file).length > 0,
  read: (file, context) => new TogglReading(tablesOf(file), context).read(),
}

const columns = ['User', 'Email', 'Project', 'Client', 'Task', 'Description', 'Start date', 'Start time']
const ofTime = ['End date', 'End time', 'Duration']
const untitled = 'Without a description'

function tablesOf(file: OpenedFile): CsvTable[] {
  if (file.kind === 'database') return []
  const texts = file.kind === 'text' ? [file.text] : file.files.map(({ text }) => text)
  return texts
    .filter((text) => /start date/i.test(text.slice(0, 2_000)))
    .map((text) => new CsvTable(csvRows(text, separatorOf(text)).filter((row) => !isBlank(row))))
    .filter((table) => table.has('Start date', 'Start time', 'Duration') && table.has('End time'))
    .filter((table) => table.has('Description') || table.has('Project'))
}

class TogglReading {
  readonly #tables: readonly CsvTable[]
  readonly #context: ReaderContext
  readonly #order: DateOrder | undefined
  readonly #orderIsAsked: boolean
  /** The number of entries of each person. */
  readonly #people: ReadonlyMap<string, number>
  readonly #person: string | undefined
  readonly #keyOf = keysOfPaths()
  readonly #lists = new Map<string, ReadList>()
  readonly #todos = new Map<string, ReadTodo>()

  constructor(tables: readonly CsvTable[], context: ReaderContext) {
    this.#tables = tables
    this.#context = context
    const dates = tables.flatMap((table) => table.rows.map((row) => table.cell(row, 'Start date')))
    const told = orderOfDates(dates)
    this.#orderIsAsked = told === 'unknown'
    this.#order = this.#orderIsAsked
      ? dateOrders.find((order) => order === context.answers.order)
      : dateOrders.find((order) => order === told)
    const people = tables.flatMap((table) => table.rows.map((row) => personOf(table, row)))
    this.#people = countsOf(people.filter((person) => person !== ''))
    const most = [...this.#people].toSorted(([, one], [, other]) => other - one)[0]?.[0]
    this.#person = context.answers.person || most
  }

  read(): Reading {
    const sessions: ReadSession[] = []
    const rows = this.#tables.flatMap((table) =>
      table.rows.map((row) => {
        const read = this.#readRow(table, row)
        if (read.session) sessions.push(read.session)
        return read.row
      }),
    )
    return {
      lists: [...this.#lists.values()],
      todos: [...this.#todos.values()],
      habits: [],
      sessions,
      rows,
      notes: this.#notes(),
      questions: this.#questions(),
    }
  }

  #readRow(table: CsvTable, row: CsvRow): { row: ReadRow; session?: ReadSession } {
    const cell = (column: string) => table.cell(row, column)
    const what = [cell('Project'), cell('Task'), cell('Description')].filter((text) => text !== '')
    const title = cell('Description') || cell('Task') || cell('Project') || untitled
    const result: ReadRow = { line: row.line, what: 'session', title, changed: [] }
    const refused = (reason: string) => ({ row: { ...result, refused: reason } })
    const person = personOf(table, row)
    if (person !== '' && person !== this.#person) return refused(`This is the time of “${person}”`)
    const times = this.#timesOf(table, row)
    if ('refused' in times) return refused(times.refused)
    const key = this.#keyOf(person, cell('Start date'), cell('Start time'), cell('Client'), ...what)
    const timed = timedSession(key, times, this.#context)
    if ('refused' in timed) return refused(timed.refused)
    const todo = this.#todoOf(table, row, timed.session.end ?? this.#context.now)
    if (todo) timed.session.todo = todo.key
    const keeps = todo
      ? []
      : what.length === 0
        ? []
        : [`What it was spent on stays behind: “${what.join(', ')}”`]
    return {
      row: { ...result, becomes: key, changed: [...timed.changed, ...keeps] },
      session: timed.session,
    }
  }

  #timesOf(
    table: CsvTable,
    row: CsvRow,
  ): { start: WrittenTime; end?: WrittenTime; duration?: number | undefined } | { refused: string } {
    const [date, time] = [table.cell(row, 'Start date'), table.cell(row, 'Start time')]
    const start = this.#timeOf(date, time)
    if (!start) return { refused: `“${`${date} ${time}`.trim()}” is no time` }
    const written = table.cell(row, 'Duration')
    const duration = written === '' ? undefined : durationIn(written, 1)
    if (written !== '' && duration === undefined) return { refused: `“${written}” is no duration` }
    const endTime = table.cell(row, 'End time')
    if (endTime === '')
      return duration === undefined ? { refused: 'It is still running' } : { start, duration }
    const end = this.#timeOf(table.cell(row, 'End date') || date, endTime)
    return end ? { start, end, duration } : { refused: `“${endTime}” is no time` }
  }

  #timeOf(date: string, time: string): WrittenTime | undefined {
    const read = timeIn(date, { order: this.#order, zone: this.#context.timeZone })
    const seconds = clockIn(time)
    return read && seconds !== undefined ? { day: read.day, seconds } : undefined
  }

  /** The task for an entry. The person chooses whether each project or each description becomes a task. */
  #todoOf(table: CsvTable, row: CsvRow, end: number): ReadTodo | undefined {
    const [client, project] = [table.cell(row, 'Client'), table.cell(row, 'Project')]
    const name = [client, project].filter((text) => text !== '').join(' / ')
    if (this.#context.answers.subject === 'Project') {
      return name === ''
        ? undefined
        : this.#todo(JSON.stringify(['project', client, project]), { title: name })
    }
    if (this.#context.answers.subject !== 'Description') return undefined
    const title = table.cell(row, 'Description') || table.cell(row, 'Task')
    if (title === '') return undefined
    const list = name === '' ? undefined : this.#listOf(name)
    const todo = this.#todo(JSON.stringify(['description', client, project, title]), { title, list })
    if (end > (todo.completed?.at ?? 0)) {
      todo.completed = { at: end, on: dayOf(end, this.#context.timeZone, this.#context.dayStart) }
    }
    return todo
  }

  #todo(key: string, { title, list }: { title: string; list?: string | undefined }): ReadTodo {
    const known = this.#todos.get(key)
    if (known) return known
    const todo: ReadTodo = { key, title, note: '', priority: 0, tags: [], ...(list && { list }) }
    this.#todos.set(key, todo)
    return todo
  }

  #listOf(name: string): string {
    const key = JSON.stringify(['list', name])
    if (!this.#lists.has(key)) this.#lists.set(key, { key, name, archived: false, fromName: true })
    return key
  }

  #notes(): string[] {
    const known = [...columns, ...ofTime]
    return [
      `The file names no time zone, so its times are read as in ${this.#context.timeZone}.`,
      ...unknownColumns([...new Set(this.#tables.flatMap((table) => table.unknown(known)))]),
    ]
  }

  #questions(): ReadQuestion[] {
    const questions: ReadQuestion[] = []
    const examples = this.#tables
      .flatMap((table) => table.rows.map((row) => table.cell(row, 'Start date')))
      .slice(0, 5)
    if (this.#orderIsAsked) {
      questions.push({
        id: 'order',
        ask: 'What comes first in its dates?',
        kind: 'column',
        options: [...dateOrders],
        examples,
      })
    }
    if (this.#people.size > 1) {
      questions.push({
        id: 'person',
        ask: 'Whose time is yours?',
        kind: 'column',
        examples: [],
        options: [...this.#people.keys()],
        ...(this.#person && { assumed: this.#person }),
      })
    }
    const told = this.#tables.flatMap((table) =>
      table.rows.map((row) => [table.cell(row, 'Project'), table.cell(row, 'Description')]),
    )
    const works = [...new Set(told.map((cells) => cells.filter((text) => text !== '').join(': ')))]
    if (works.some((work) => work !== '')) {
      questions.push({
        id: 'subject',
        ask: 'Make a task of each, which the time belongs to?',
        kind: 'column',
        options: ['Project', 'Description'],
        examples: works.filter((work) => work !== '').slice(0, 5),
      })
    }
    return questions
  }
}

function personOf(table: CsvTable, row: CsvRow): string {
  return table.cell(row, 'User') || table.cell(row, 'Email')
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
