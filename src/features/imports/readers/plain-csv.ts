import type { Priority } from '#features/todos/todo/todo-row.ts'
import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { instantOfWallTime } from '#platform/calendar/wall-time.ts'
import { type CsvRow, CsvTable, csvRows, isBlank, separatorOf } from '../reading/csv-rows.ts'
import { DaysOfHabit } from '../reading/days-of-habit.ts'
import { becomesNote, dateBecomesNote, repeatOf, unknownColumns } from '../reading/gathered.ts'
import { looksLikeJson } from '../reading/json-of.ts'
import {
  keysOfPaths,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type Reading,
  type ReadList,
  type ReadQuestion,
  type ReadRow,
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
import { readDue } from '../repeat-phrases/read-due.ts'

// Reads any other table. The person says what the columns mean; the names of the columns give the default answers. This reader is
// tried last.

export const plainCsv: Reader = {
  source: 'csv',
  name: 'CSV',
  recognises: (file) => tableOf(file, charactersToRecognise) !== undefined,
  read(file, context) {
    const table = tableOf(file)
    return table
      ? new PlainReading(table, context).read()
      : { problem: 'This is no table with named columns.' }
  },
}

const kinds = ['A task', 'A day of a habit', 'A focus session'] as const
type Kind = (typeof kinds)[number]

interface Field {
  id: string
  ask: string
  /** Column names that mean this field, in lower case. */
  names: readonly string[]
}

/** The fields that a row of each kind can have. The first field is required. */
const fieldsOf: Record<Kind, readonly Field[]> = {
  'A task': [
    {
      id: 'title',
      ask: 'Title',
      names: [
        'title',
        'task',
        'task name',
        'name',
        'content',
        'summary',
        'todo',
        'to-do',
        'subject',
        'text',
        'description',
      ],
    },
    {
      id: 'note',
      ask: 'Note',
      names: ['note', 'notes', 'comment', 'comments', 'details', 'body', 'description'],
    },
    {
      id: 'list',
      ask: 'List',
      names: ['list', 'list name', 'project', 'project name', 'category', 'folder', 'area', 'board'],
    },
    { id: 'parent', ask: 'Task that it is a subtask of', names: ['parent', 'parent task', 'subtask of'] },
    { id: 'tags', ask: 'Tags', names: ['tags', 'tag', 'labels', 'label', 'contexts'] },
    { id: 'priority', ask: 'Priority', names: ['priority', 'prio', 'importance'] },
    { id: 'due', ask: 'Due date', names: ['due', 'due date', 'due day', 'duedate', 'deadline', 'date'] },
    { id: 'repeat', ask: 'Repeat', names: ['repeat', 'repeats', 'recurrence', 'recurring', 'rrule'] },
    {
      id: 'estimate',
      ask: 'Estimate',
      names: ['estimate', 'estimate (minutes)', 'time estimate', 'estimated time'],
    },
    {
      id: 'done',
      ask: 'Whether it is done',
      names: ['done', 'completed', 'complete', 'is completed', 'status', 'state', 'finished', 'checked'],
    },
    { id: 'done-on', ask: 'Day on which it was done', names: ['done on', 'completed on', 'day done'] },
    {
      id: 'done-at',
      ask: 'When it was done',
      names: [
        'completed at',
        'completed date',
        'completion date',
        'date completed',
        'done at',
        'completed time',
        'finished at',
      ],
    },
    {
      id: 'created',
      ask: 'When it was made',
      names: ['created', 'created at', 'creation date', 'date created', 'created time', 'added'],
    },
  ],
  'A day of a habit': [
    { id: 'habit', ask: 'Habit', names: ['habit', 'habit name', 'habitname', 'name', 'title'] },
    { id: 'day', ask: 'Day', names: ['day', 'date', 'calendardate', 'log date', 'timestamp', 'time'] },
    { id: 'state', ask: 'Whether it was done', names: ['state', 'status', 'completed', 'done'] },
    { id: 'amount', ask: 'How much was done', names: ['amount', 'value', 'total log', 'count', 'quantity'] },
    { id: 'unit', ask: 'Unit', names: ['unit', 'units'] },
    { id: 'day-note', ask: 'Note', names: ['note', 'notes', 'comment', 'commenttext', 'comments'] },
  ],
  'A focus session': [
    {
      id: 'start',
      ask: 'Start, or day',
      names: ['start', 'started at', 'start date', 'start time', 'started', 'begin', 'from', 'day', 'date'],
    },
    { id: 'start-time', ask: 'Time of the start', names: ['start time', 'time'] },
    {
      id: 'end',
      ask: 'End',
      names: ['end', 'ended at', 'end date', 'end time', 'stop', 'finish', 'to', 'ended'],
    },
    { id: 'end-time', ask: 'Time of the end', names: ['end time'] },
    {
      id: 'duration',
      ask: 'Duration',
      names: [
        'duration',
        'seconds',
        'duration (seconds)',
        'minutes',
        'duration (minutes)',
        'duration (h)',
        'hours',
        'time spent',
        'length',
      ],
    },
    { id: 'of-task', ask: 'Make a task of each, which the time belongs to', names: [] },
  ],
}
const dayFields = ['due', 'done-at', 'created', 'day', 'start', 'end']
const examplesOfColumn = 3

/** How many characters are read to tell whether a file is a table; its start is enough. */
const charactersToRecognise = 100_000

function tableOf(file: OpenedFile, most?: number): CsvTable | undefined {
  if (file.kind !== 'text' || looksLikeJson(file.text) || /^\s*(BEGIN:|<)/i.test(file.text)) return undefined
  const rows = csvRows(file.text.slice(0, most), separatorOf(file.text)).filter((row) => !isBlank(row))
  const table = new CsvTable(rows)
  const names = table.header.filter((name) => name !== '')
  if (names.length === 0 || table.rows.length === 0) return undefined
  const isNamed = fieldsOf['A task'][0]?.names.includes(names[0]?.toLowerCase() ?? '') === true
  if (table.header.length === 1) return isNamed ? table : undefined
  const wide = table.rows.filter(({ cells }) => cells.length === table.header.length)
  return wide.length * 2 >= table.rows.length ? table : undefined
}

class PlainReading {
  readonly #table: CsvTable
  readonly #context: ReaderContext
  readonly #kind: Kind
  readonly #columns: ReadonlyMap<string, string>
  readonly #told: DateOrder | 'unknown' | undefined
  readonly #keyOf = keysOfPaths()
  readonly #lists = new Map<string, ReadList>()

  constructor(table: CsvTable, context: ReaderContext) {
    this.#table = table
    this.#context = context
    this.#kind = kinds.find((kind) => kind === context.answers.rows) ?? likelyKind(table)
    this.#columns = columnsOf(table, fieldsOf[this.#kind], context.answers)
    const columns = dayFields.flatMap((field) => this.#columns.get(field) ?? [])
    this.#told = orderOfDates(columns.flatMap((column) => table.rows.map((row) => table.cell(row, column))))
  }

  read(): Reading {
    const read = this.#readRows()
    const used = [...this.#columns.values()]
    return {
      lists: [...this.#lists.values()],
      todos: [],
      habits: [],
      sessions: [],
      ...read,
      notes: [...(read.notes ?? []), ...unknownColumns(this.#table.unknown(used))],
      questions: this.#questions(),
    }
  }

  #readRows(): Pick<Reading, 'rows'> & Partial<Reading> {
    const [first] = fieldsOf[this.#kind]
    if (first && !this.#columns.has(first.id)) {
      const refused = `No column is chosen for “${first.ask}”`
      const rows = this.#table.rows.map(({ line, cells }): ReadRow => {
        return { line, what: 'other', title: cells.find((cell) => cell !== '') ?? '', changed: [], refused }
      })
      return { rows }
    }
    if (this.#kind === 'A task') return this.#readTasks()
    return this.#kind === 'A day of a habit' ? this.#readDays() : this.#readSessions()
  }

  /** The original text of a cell. Some apps put an apostrophe before text that a spreadsheet would run as a formula. */
  #text(row: CsvRow, field: string): string {
    const column = this.#columns.get(field)
    const text = column === undefined ? '' : this.#table.cell(row, column)
    return /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text
  }

  #timeOf(text: string): WrittenTime | undefined {
    const { answers, timeZone: zone } = this.#context
    const order = dateOrders.find((each) => each === (this.#told === 'unknown' ? answers.order : this.#told))
    return timeIn(text, { order, zone })
  }

  #instantOf({ day, seconds, instant }: WrittenTime): Instant {
    if (instant !== undefined) return instant
    const time = seconds === undefined ? 12 * 60 : Math.floor(seconds / 60)
    return instantOfWallTime({ day, time }, this.#context.timeZone) + ((seconds ?? 0) % 60) * 1000
  }

  #readTasks(): Pick<Reading, 'rows' | 'todos'> {
    const found = this.#table.rows.map((row) => this.#readTask(row))
    const topByTitle = new Map<string, ReadTodo>()
    for (const { todo, under } of found.toReversed())
      if (todo && under === '') topByTitle.set(todo.title, todo)
    for (const { row, todo, under } of found) {
      if (!todo || under === '') continue
      const parent = topByTitle.get(under)
      if (parent) todo.parent = parent.key
      else row.changed.push(`“${under}”, which it is a subtask of, is not in the file`)
      if (parent) row.what = 'subtask'
    }
    const todos = found.flatMap(({ todo }) => todo ?? [])
    return {
      rows: found.map(({ row }) => row),
      todos: [...todos.filter(({ parent }) => !parent), ...todos.filter(({ parent }) => parent)],
    }
  }

  #readTask(row: CsvRow): { row: ReadRow; todo?: ReadTodo; under: string } {
    const text = (field: string) => this.#text(row, field)
    const [title, list, under] = [text('title'), text('list'), text('parent')]
    const result: ReadRow = { line: row.line, what: 'task', title, changed: [] }
    if (title === '') return { row: { ...result, refused: 'It has no title' }, under }
    const { changed } = result
    const notes = [text('note')]
    const { due, repeat } = this.#dueOf(text('due'), text('repeat'), changed, notes)
    const estimate = text('estimate') === '' ? undefined : durationIn(text('estimate'), 60)
    if (text('estimate') !== '' && !estimate) changed.push(`The estimate “${text('estimate')}” is not read`)
    const created = this.#timeOf(text('created'))
    if (text('created') !== '' && !created)
      changed.push(`“${text('created')}” is no time at which it was made`)
    const completed = this.#completedOf(row, changed)
    const key = this.#keyOf('task', list, under, title)
    const todo: ReadTodo = {
      key,
      title,
      priority: priorityOf(text('priority'), changed),
      note: notes.filter((note) => note !== '').join('\n'),
      tags: tagsIn(text('tags')),
      ...(list !== '' && { list: this.#listOf(list) }),
      ...(due && { due }),
      ...(repeat && { repeat }),
      ...(estimate && { estimate: Math.max(1, Math.round(estimate / 60)) }),
      ...(created && { created: Math.min(this.#context.now, this.#instantOf(created)) }),
      ...(completed && { completed }),
    }
    return { row: { ...result, becomes: key }, todo, under }
  }

  /**
   * Reads a due date and a repeat: an iCalendar rule, or a phrase in place of the date or beside it. Text that cannot be read
   * becomes a note.
   */
  #dueOf(
    written: string,
    repeats: string,
    changed: string[],
    notes: string[],
  ): Pick<ReadTodo, 'due' | 'repeat'> {
    const day = this.#timeOf(written)?.day
    const phrase = day === undefined ? readDue(written, '', this.#context) : undefined
    const due = day ?? phrase?.due
    if (written !== '' && due === undefined) {
      changed.push(dateBecomesNote(written))
      notes.push(`Due: ${written}`)
    }
    changed.push(...(phrase?.changed ?? []))
    const kept = { ...(due && { due }), ...(phrase?.repeat && { repeat: phrase.repeat }) }
    if (repeats === '') return kept
    if (/^(RRULE:)?(RSCALE|FREQ)=/i.test(repeats)) {
      const read = repeatOf(repeats, due, this.#context)
      changed.push(...read.changed)
      if (read.note !== undefined) notes.push(read.note)
      return read.repeat ? { due: read.due ?? due, repeat: read.repeat } : kept
    }
    const read = readDue(repeats, '', this.#context)
    if (read?.repeat) {
      if (due) return { due, repeat: { ...read.repeat, from: due } }
      changed.push(...read.changed)
      return { due: read.due, repeat: read.repeat }
    }
    changed.push(becomesNote(repeats))
    notes.push(repeats)
    return kept
  }

  #completedOf(row: CsvRow, changed: string[]): ReadTodo['completed'] {
    const { now, timeZone, dayStart } = this.#context
    const [status, written] = [this.#text(row, 'done'), this.#text(row, 'done-at')]
    // In some tables, the column 'Completed' contains a day instead of a status.
    const doneOn = this.#timeOf(this.#text(row, 'done-on'))
    const time = this.#timeOf(written) ?? doneOn ?? this.#timeOf(status)
    if (written !== '' && !time) changed.push(`“${written}” is no time at which it was done`)
    const word = status.toLowerCase()
    const isCancelled = /^(cancell?ed|abandoned|won't do|wont do|dropped)$/.test(word)
    if (isCancelled) changed.push(`It was “${status}”, and comes as done`)
    const isDone = isYes(word) || isCancelled || time !== undefined || (written !== '' && status === '')
    if (!isDone) {
      if (!isNo(word)) changed.push(`It was “${status}”, and comes as open`)
      return undefined
    }
    if (time === undefined) return { at: now, on: dayOf(now, timeZone, dayStart) }
    const at = Math.min(now, this.#instantOf(time))
    const on = doneOn?.day ?? (time.seconds === undefined ? time.day : dayOf(at, timeZone, dayStart))
    const today = dayOf(now, timeZone, dayStart)
    return { at, on: on > today ? today : on }
  }

  #listOf(name: string): string {
    const key = JSON.stringify(['list', name])
    if (!this.#lists.has(key)) this.#lists.set(key, { key, name, archived: false, fromName: true })
    return key
  }

  #readDays(): Pick<Reading, 'rows' | 'habits' | 'notes'> {
    const { today } = this.#context
    const found = new Map<string, { name: string; unit: string; days: DaysOfHabit; isCounted: boolean }>()
    for (const [name, rows] of Map.groupBy(this.#table.rows, (row) => this.#text(row, 'habit'))) {
      const key = JSON.stringify(['habit', name])
      const amounts = rows.map((row) => amountIn(this.#text(row, 'amount')))
      const unit = rows.map((row) => this.#text(row, 'unit')).find((text) => text !== '') ?? 'times'
      const isCounted = amounts.some((amount) => amount !== undefined && amount !== 0 && amount !== 1000)
      found.set(name, { name, unit, isCounted, days: new DaysOfHabit(key, { isCounted, today }) })
    }
    const rows = this.#table.rows.map((row) => this.#readDay(row, found))
    const habits = [...found.values()]
      .filter(({ name }) => name !== '')
      .map(({ name, unit, days, isCounted }) => {
        const read = days.of({ name, description: '', start: today, archived: false, rhythms: [] })
        const target = isCounted ? ({ at: 'least', amount: 1000, unit, per: 'day' } as const) : 'yes'
        read.rhythms = [{ from_day: read.start, rhythm: { every: 1 }, target }]
        return read
      })
    const notes = ['A table of days does not say how often a habit is to be done: all become daily.']
    return { rows, habits, notes }
  }

  #readDay(row: CsvRow, found: ReadonlyMap<string, { days: DaysOfHabit; isCounted: boolean }>): ReadRow {
    const [name, written, state, value, note] = ['habit', 'day', 'state', 'amount', 'day-note'].map((field) =>
      this.#text(row, field),
    ) as [string, string, string, string, string]
    const result: ReadRow = { line: row.line, what: 'day', title: `${name}, ${written}`, changed: [] }
    const habit = found.get(name)
    const day: Day | undefined = this.#timeOf(written)?.day
    if (name === '' || !habit) return { ...result, refused: 'It names no habit' }
    if (!day) return { ...result, refused: `“${written}” is no day` }
    const word = state.toLowerCase()
    if (/^skip/.test(word)) return { ...result, ...habit.days.skipped(day, note) }
    const amount = amountIn(value)
    if (value !== '' && amount === undefined) return { ...result, refused: `“${value}” is no amount` }
    if (habit.isCounted && amount !== undefined) return { ...result, ...habit.days.done(day, amount, note) }
    const hasState = this.#columns.has('state') && state !== ''
    const isDone = hasState ? isYes(word) : this.#columns.has('amount') ? (amount ?? 0) > 0 : true
    if (hasState && !isYes(word) && !isNo(word)) {
      return { ...result, refused: `“${state}” says neither done nor not` }
    }
    if (isDone) return { ...result, ...habit.days.done(day, 1000, note) }
    // People compare the counts with the rows of their table. So a row whose day was not done is counted, too.
    return { ...result, ...(habit.days.undone(day, note) ?? { becomes: habit.days.key }) }
  }

  #readSessions(): Pick<Reading, 'rows' | 'sessions' | 'todos' | 'notes'> {
    const todos = new Map<string, ReadTodo>()
    const sessions: Reading['sessions'] = []
    const rows = this.#table.rows.map((row): ReadRow => {
      const [task, start, end] = [
        this.#text(row, 'of-task'),
        this.#text(row, 'start'),
        this.#text(row, 'end'),
      ]
      const result: ReadRow = { line: row.line, what: 'session', title: task || start, changed: [] }
      const begins = this.#withClock(start, this.#text(row, 'start-time'))
      if (!begins) return { ...result, refused: `“${start}” is no time` }
      const written = this.#text(row, 'duration')
      const duration = written === '' ? undefined : durationIn(written, this.#unitOfDuration())
      if (written !== '' && duration === undefined)
        return { ...result, refused: `“${written}” is no duration` }
      const endTime = this.#text(row, 'end-time')
      const ends =
        end === '' && endTime === '' ? undefined : this.#withClock(end || begins.day, endTime, begins.day)
      if (!ends && `${end}${endTime}` !== '') return { ...result, refused: `“${end || endTime}” is no time` }
      const key = this.#keyOf('session', start, this.#text(row, 'start-time'), task)
      const made =
        begins.seconds === undefined
          ? this.#total(key, begins.day, duration ?? 0)
          : timedSession(key, { start: begins, end: ends, duration }, this.#context)
      if ('refused' in made) return { ...result, refused: made.refused }
      if (task !== '') made.session.todo = this.#todoOf(task, made.session.end, todos).key
      sessions.push(made.session)
      return { ...result, becomes: key, changed: made.changed }
    })
    const notes = [`Times without a zone are read as in ${this.#context.timeZone}.`]
    return { rows, sessions, todos: [...todos.values()], notes }
  }

  /** Combines a date and a time. `text` may be a day, a day with a time, or a time on `day`. */
  #withClock(text: string, clock: string, day?: Day): WrittenTime | undefined {
    const alone = day === undefined ? undefined : clockIn(text)
    const time = alone === undefined ? this.#timeOf(text) : day && { day, seconds: alone }
    if (!time || clock === '') return time
    const seconds = clockIn(clock)
    return seconds === undefined ? undefined : { day: time.day, seconds }
  }

  #unitOfDuration(): number {
    const column = this.#columns.get('duration')?.toLowerCase() ?? ''
    if (/hour|\(h\)|decimal/.test(column)) return 3600
    return /sec|\(s\)/.test(column) ? 1 : 60
  }

  /** The focus time of a day without a known start. */
  #total(key: string, day: Day, duration: number) {
    if (duration <= 0) return { refused: 'It took no time' }
    if (duration > 86_400) return { refused: 'A day has 24 hours' }
    if (day > this.#context.today) return { refused: "This day hasn't come yet" }
    return {
      session: {
        key,
        kind: 'total' as const,
        duration,
        days: [{ day, seconds: duration }],
      } as Reading['sessions'][number],
      changed: [],
    }
  }

  /** The task that the sessions are about. It is completed at the end of the last of these sessions. */
  #todoOf(title: string, end: Instant | undefined, todos: Map<string, ReadTodo>): ReadTodo {
    const { now, timeZone, dayStart } = this.#context
    const key = JSON.stringify(['of sessions', title])
    const todo = todos.get(key) ?? { key, title, note: '', priority: 0, tags: [] }
    const at = Math.max(end ?? (todo.completed ? 0 : now), todo.completed?.at ?? 0)
    todo.completed = { at, on: dayOf(at, timeZone, dayStart) }
    todos.set(key, todo)
    return todo
  }

  #questions(): ReadQuestion[] {
    const { header } = this.#table
    const options = [...new Set(header.filter((name) => name !== ''))]
    const rows: ReadQuestion = {
      id: 'rows',
      ask: 'What is each row?',
      kind: 'column',
      examples: [],
      options: [...kinds],
      assumed: this.#kind,
    }
    const columns = fieldsOf[this.#kind].map(({ id, ask }): ReadQuestion => {
      const column = this.#columns.get(id)
      const examples = column === undefined ? [] : this.#examplesOf(column)
      return { id, ask, kind: 'column', options, examples, ...(column && { assumed: column }) }
    })
    if (this.#told !== 'unknown') return [rows, ...columns]
    const order: ReadQuestion = {
      id: 'order',
      ask: 'What comes first in its dates?',
      kind: 'column',
      options: [...dateOrders],
      examples: dayFields.flatMap((field) => this.#examplesOf(this.#columns.get(field))).slice(0, 5),
    }
    return [rows, ...columns, order]
  }

  #examplesOf(column: string | undefined): string[] {
    if (column === undefined) return []
    const cells = this.#table.rows.map((row) => this.#table.cell(row, column)).filter((cell) => cell !== '')
    return [...new Set(cells)].slice(0, examplesOfColumn)
  }
}

/** The most likely kind of rows, judging by the column names. */
function likelyKind(table: CsvTable): Kind {
  const has = (kind: Kind, ...ids: string[]) =>
    ids.every((id) =>
      fieldsOf[kind].some((field) => field.id === id && field.names.some((name) => table.has(name))),
    )
  const namesHabit = ['habit', 'habit name', 'habitname'].some((name) => table.has(name))
  if (namesHabit && has('A day of a habit', 'day')) return 'A day of a habit'
  const isTimed = has('A focus session', 'start', 'duration') || table.has('start time', 'end time')
  return isTimed && !table.has('title') ? 'A focus session' : 'A task'
}

/**
 * The column of each field: the column that the person chose, or else the first column with one of the field's names. No column
 * is used for two fields.
 */
function columnsOf(
  table: CsvTable,
  fields: readonly Field[],
  answers: ReaderContext['answers'],
): Map<string, string> {
  const columns = new Map<string, string>()
  const chosen = new Set(fields.flatMap(({ id }) => answers[id] ?? []).map((name) => name.toLowerCase()))
  for (const { id, names } of fields) {
    const answer = answers[id]
    if (answer !== undefined) {
      if (table.has(answer) && answer !== '') columns.set(id, answer)
      continue
    }
    const name = names.find((each) => table.has(each) && !chosen.has(each))
    if (name === undefined) continue
    chosen.add(name)
    columns.set(id, table.header.find((header) => header.toLowerCase() === name) ?? name)
  }
  return columns
}

const yes = /^(1|true|yes|y|x|done|completed?|finished|closed|checked|ok|kept|[✓✔☑✅]|\[x\])$/
const no =
  /^(|0|false|no|n|open|none|failed|missed|not done|to ?do|to-do|pending|new|incomplete|needs-action|unchecked|-|\[ ?\])$/
const isYes = (word: string) => yes.test(word)
const isNo = (word: string) => no.test(word)

function priorityOf(text: string, changed: string[]): Priority {
  const word = text.toLowerCase()
  if (/^(high|highest|urgent|critical|p1|a|!!!|h)$/.test(word)) return 3
  if (/^(medium|normal|middle|p2|b|!!|m)$/.test(word)) return 2
  if (/^(low|lowest|p3|c|!|l)$/.test(word)) return 1
  // A number alone does not tell whether 1 is the highest or the lowest priority, so only the words above are read.
  if (!/^(|none|no|0|p4|-)$/.test(word)) changed.push(`The priority “${text}” is not read`)
  return 0
}

function tagsIn(text: string): string[] {
  const tags = text.split(/[,;|]|\s+(?=[#@])/).map((tag) => tag.trim().replace(/^[#@]/, ''))
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** An amount in thousandths. */
function amountIn(text: string): number | undefined {
  if (!/^\d{1,6}([.,]\d+)?$/.test(text)) return undefined
  return Math.round(1000 * Number(text.replace(',', '.')))
}
