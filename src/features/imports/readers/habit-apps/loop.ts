import { resultsSince } from '#features/habits/past/habit-summary.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { type LoopDay, type LoopHabit, loopStrength } from '#features/habits/strength/loop-strength.ts'
import { strengthOf } from '#features/habits/strength/strength.ts'
import { type CsvRow, CsvTable, csvRows, isBlank } from '#features/imports/reading/csv-rows.ts'
import { byDay, notDone } from '#features/imports/reading/days-of-habit.ts'
import { looksLikeJson } from '#features/imports/reading/json-of.ts'
import { inOwnOrder } from '#features/imports/reading/own-order.ts'
import {
  dayKey,
  keysOfPaths,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadRow,
} from '#features/imports/reading/reading.ts'
import { type Day, dayNumber, daySchema, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'

// Loop Habit Tracker writes a zip: Habits.csv, a folder with a Checkmarks.csv for each habit, and a common Checkmarks.csv with a
// column for each habit. What is known of them:
// - Habits.csv has gained columns over the years; the oldest has only Name, Description, NumRepetitions, Interval, Color.
// - Values are 2, 1, 0, -1, 3 in older files and YES_MANUAL, YES_AUTO, NO, UNKNOWN, SKIP in newer ones. In habits with amounts,
//   the same values stand for 0.002, 0.001, 0, no amount, and a skip. All other amounts are in thousandths.
// - YES_AUTO is a day that Loop filled in, because the rhythm was kept without it. The person did not tick it.
// - The file in a folder has a header only since version 2.1, which also added notes.
// - Names are unquoted in the header of the common file, and its rows end with an empty column. That file may lack days that the
//   folders have (issue 2336), so the folders are preferred.
// - None of the files has reminders.

export const loop: Reader = {
  source: 'loop',
  name: 'Loop Habit Tracker',
  recognises: (file) => filesOf(file) !== undefined,
  read(file, context) {
    if (file.kind === 'database') return { problem: databaseProblem }
    const files = filesOf(file)
    if (!files) return { problem: 'This is no export of Loop Habit Tracker.' }
    if (files.days.length === 0 && !files.habits) return { problem: scoresProblem }
    return readFiles(files, context)
  },
}

const databaseProblem =
  "A backup of Loop's database can't be read. In Loop, choose Settings, then Export as CSV, and import that zip."
const scoresProblem =
  "This file has Loop's scores, but not the days. Import the whole zip that Loop exports, or its Checkmarks.csv."

interface LoopFiles {
  habits: CsvTable | undefined
  /** The files that contain the days of the habits. */
  days: DaysFile[]
}

/** A file with days. `place` is the habit's index in Habits.csv, from 0. */
type DaysFile = { of: 'one'; place: number; name: string; rows: CsvRow[] } | { of: 'all'; rows: CsvRow[] }

const habitColumns = [
  ...['Position', 'Name', 'Type', 'Question', 'Description', 'NumRepetitions', 'Interval'],
  ...[
    'FrequencyNumerator',
    'FrequencyDenominator',
    'Color',
    'Unit',
    'Target Type',
    'Target Value',
    'Archived?',
  ],
]
const words = new Map([
  ['YES_MANUAL', 2],
  ['YES_AUTO', 1],
  ['NO', 0],
  ['UNKNOWN', -1],
  ['SKIP', 3],
])
const [done, automatic, skipped] = [2, 1, 3]

/** Finds Loop's files; undefined if the file is not from Loop. */
function filesOf(file: OpenedFile): LoopFiles | undefined {
  if (file.kind === 'database') {
    const tables = new Set(file.tables.map((name) => name.toLowerCase()))
    return tables.has('habits') && tables.has('repetitions') ? { habits: undefined, days: [] } : undefined
  }
  if (file.kind === 'text') return filesOfTexts([{ path: file.name, text: file.text }])
  return filesOfTexts(file.files)
}

function filesOfTexts(texts: readonly { path: string; text: string }[]): LoopFiles | undefined {
  let habits: CsvTable | undefined
  let hasScores = false
  let common: DaysFile | undefined
  const own: DaysFile[] = []
  for (const { path, text } of texts) {
    // A single file may have been renamed, so its name does not matter.
    if (!/\.csv$/i.test(path) && (texts.length > 1 || looksLikeJson(text))) continue
    const rows = csvRows(text).filter((row) => !isBlank(row))
    const table = new CsvTable(rows)
    const isHabits = table.has('Name') && (table.has('NumRepetitions') || table.has('FrequencyNumerator'))
    if (isHabits) habits ??= table
    else if (folder.test(path) || isOfOne(rows)) own.push({ of: 'one', ...folderOf(path), rows })
    else if (isOfAll(rows)) common ??= { of: 'all', rows }
    else if (/(^|\/)scores\.csv$/i.test(path)) hasScores = true
  }
  const found = own.length > 0 ? own : common ? [common] : []
  const isKnown = habits !== undefined || own.some((file) => file.of === 'one' && file.place >= 0)
  const days = isKnown || found.some(({ rows }) => areLoops(rows)) ? found : []
  return habits || days.length > 0 || hasScores ? { habits, days } : undefined
}

const folder = /(?:^|\/)(\d{3,})(?: ([^/]*))?\/checkmarks\.csv$/i

/** The number and name in a path such as '003 Wake up early/Checkmarks.csv'. A single file may be named after its habit. */
function folderOf(path: string): { place: number; name: string } {
  const [, number, name] = folder.exec(path) ?? []
  const alone = path.replace(/^.*\//, '').replace(/\.(csv|txt)$/i, '')
  return number === undefined ? { place: -1, name: alone } : { place: Number(number) - 1, name: name ?? '' }
}

function isOfOne(rows: readonly CsvRow[]): boolean {
  const headed = hasHeader(rows)
  const names = rows[0]?.cells.map((cell) => cell.trim()).join() ?? ''
  if (headed ? !/^date,value(,notes)?$/i.test(names) : rows.length === 0) return false
  return mostly(headed ? rows.slice(1) : rows, ([day = '', value = '', ...notes]) => {
    return dayOf(day) !== undefined && isValue(value) && notes.length <= (headed ? 1 : 0)
  })
}

/** Whether at least half of the first rows look like Loop's. One strange row does not turn the file into another app's. */
function mostly(rows: readonly CsvRow[], isLoops: (cells: readonly string[]) => boolean): boolean {
  const looked = rows.slice(0, 100)
  return looked.filter(({ cells }) => isLoops(cells)).length * 2 >= looked.length
}

function isOfAll(rows: readonly CsvRow[]): boolean {
  const [head, ...rest] = rows
  if (head?.cells[0]?.trim().toLowerCase() !== 'date' || head.cells.length < 2) return false
  return mostly(rest, ([day = '', ...values]) => {
    return dayOf(day) !== undefined && values.every((value) => value.trim() === '' || isValue(value))
  })
}

/**
 * Whether only Loop writes such values. Other apps' tables also have days with 0 and 1, or with small counts. In Loop's, a tick
 * is 2, and amounts are in thousandths.
 */
function areLoops(rows: readonly CsvRow[]): boolean {
  const cells = rows.flatMap(({ cells: [, ...values] }) => values.map((value) => value.trim().toUpperCase()))
  if (cells.some((cell) => words.has(cell))) return true
  const numbers = cells.flatMap((cell) => valueIn(cell) ?? [])
  return (
    numbers.some((number) => number === done || number === -1 || number >= 100) &&
    !numbers.some((number) => number > skipped && number < 100)
  )
}

function hasHeader(rows: readonly CsvRow[]): boolean {
  return rows[0]?.cells[0]?.trim().toLowerCase() === 'date'
}

const isValue = (text: string) => valueIn(text) !== undefined

function valueIn(text: string): number | undefined {
  const cell = text.trim()
  return words.get(cell.toUpperCase()) ?? (/^(-1|\d{1,10})$/.test(cell) ? Number(cell) : undefined)
}

function dayOf(text: string): Day | undefined {
  return daySchema.safeParse(text.trim()).data
}

/** A habit of the file, with the days found so far. */
interface Found {
  habit: ReadHabit
  loop: LoopHabit
  row: ReadRow
  seen: Set<Day>
  /** The values by day, from which Loop's own score is computed. */
  history: Map<Day, LoopDay>
}

function readFiles({ habits, days }: LoopFiles, { today, weekStart }: ReaderContext): Reading {
  const keyOf = keysOfPaths()
  const all = habits?.rows.map((row, place) => foundIn(habits, row, place, keyOf, today)) ?? []
  const add = (found: Found) => {
    all.push(found)
    return found
  }
  const entries = days.flatMap((file) => {
    if (file.of === 'all') return entriesOfAll(file.rows, habits !== undefined, all, keyOf, today)
    const found = all[file.place] ?? add(unknownHabit(file.name, all.length, keyOf, today, file.rows))
    return entriesOfOne(file, found)
  })
  const dayRows = entries.map((entry) => rowOf(entry, today))
  const told = dayRows.filter((row) => row !== undefined)
  for (const { habit } of all) finish(habit, today)
  return {
    lists: [],
    todos: [],
    habits: inOwnOrder(
      all.map(({ habit }) => habit),
      shownPlaces(habits, all),
    ),
    sessions: [],
    rows: [...all.map(({ row }) => row), ...told],
    notes: [
      ...unknownColumns(habits),
      ...notDone(dayRows.length - told.length),
      ...all.flatMap((found) => strengthsOf(found, weekStart)),
    ],
    questions: [],
  }
}

/** The positions in Habits.csv by habit key. Its rows are the first habits in `all`, in the same order. */
function shownPlaces(habits: CsvTable | undefined, all: readonly Found[]): Map<string, number> {
  return new Map(
    (habits?.rows ?? []).flatMap((row, place) => {
      const [key, position] = [
        all[place]?.habit.key,
        Number.parseInt(habits?.cell(row, 'Position') ?? '', 10),
      ]
      return key === undefined || Number.isNaN(position) ? [] : [[key, position] as const]
    }),
  )
}

/** The value of one habit on one day. */
interface Entry {
  found: Found
  line: number
  day: string
  value: string
  note: string
}

function entriesOfOne({ rows }: { rows: readonly CsvRow[] }, found: Found): Entry[] {
  return (hasHeader(rows) ? rows.slice(1) : rows).map(
    ({ line, cells: [day = '', value = '', note = ''] }) => ({
      found,
      line,
      day,
      value,
      note: note.trim(),
    }),
  )
}

/** The entries of the common file. Adds habits that only this file has to `all`. */
function entriesOfAll(
  rows: readonly CsvRow[],
  knowsHabits: boolean,
  all: Found[],
  keyOf: ReturnType<typeof keysOfPaths>,
  today: Day,
): Entry[] {
  const [head, ...rest] = rows
  const names = (head?.cells.slice(1) ?? []).map((name) => name.trim())
  if (names.at(-1) === '') names.pop()
  // A name with a comma looks like two columns. If the number of values fits, match columns to habits by their order.
  const inOrder = knowsHabits && rest.every(({ cells }) => widthOf(cells) === all.length)
  const columns = inOrder
    ? [...all]
    : names.map((name, place) => {
        const known = all.filter(({ habit }) => habit.name === name)
        const nth = names.slice(0, place).filter((other) => other === name).length
        if (known[nth]) return known[nth]
        const own = rest.map(({ line, cells }) => ({ line, cells: ['', cells[place + 1] ?? ''] }))
        const found = unknownHabit(name, all.length, keyOf, today, own)
        all.push(found)
        return found
      })
  return rest.flatMap(({ line, cells: [day = '', ...values] }) =>
    columns.flatMap((found, place) => {
      const value = values[place] ?? ''
      return value.trim() === '' ? [] : [{ found, line, day, value, note: '' }]
    }),
  )
}

/** How many habits a row has values for. The row may end with an empty column. */
function widthOf(cells: readonly string[]): number {
  return cells.at(-1)?.trim() === '' ? cells.length - 2 : cells.length - 1
}

function unknownColumns(habits: CsvTable | undefined): string[] {
  const names = habits?.unknown(habitColumns) ?? []
  if (names.length === 0) return []
  const quoted = names.map((name) => `“${name}”`).join(', ')
  return [
    `Not read, since Daymark does not know ${names.length === 1 ? 'this column' : 'these columns'}: ${quoted}.`,
  ]
}

function foundIn(
  table: CsvTable,
  row: CsvRow,
  place: number,
  keyOf: ReturnType<typeof keysOfPaths>,
  today: Day,
): Found {
  const changed: string[] = []
  const cell = (column: string) => table.cell(row, column)
  const named = cell('Name')
  const name = named === '' ? `Habit ${place + 1}` : named
  if (named === '') changed.push('It has no name in the file')
  const whole = (column: string, older: string) => {
    const number = Math.trunc(Number(cell(column) || cell(older)))
    return number >= 1 ? number : 1
  }
  const numerator = whole('FrequencyNumerator', 'NumRepetitions')
  const denominator = whole('FrequencyDenominator', 'Interval')
  const counts = /^(numerical|1)$/i.test(cell('Type'))
  const target = counts
    ? {
        at: /^(at_most|1)$/i.test(cell('Target Type')) ? ('most' as const) : ('least' as const),
        amount: Math.round(1000 * (Number(cell('Target Value').replace(',', '.')) || 0)),
      }
    : null
  const asked = [cell('Question'), table.text(row, 'Description').trim()].filter((text) => text !== '')
  const rule =
    counts && target
      ? ruleOfAmount(target, cell('Unit'), numerator, denominator, changed)
      : ruleOf(numerator, denominator, changed)
  const key = keyOf(name)
  return {
    habit: {
      ...emptyHabit(key, name, today),
      description: asked.join('\n'),
      archived: /^(true|1|yes)$/i.test(cell('Archived?')),
      rhythms: [{ from_day: today, ...rule }],
    },
    loop: { numerator, denominator, target },
    row: { line: row.line, what: 'habit', title: name, becomes: key, changed },
    seen: new Set(),
    history: new Map(),
  }
}

function emptyHabit(key: string, name: string, start: Day): ReadHabit {
  return {
    key,
    name,
    description: '',
    start,
    archived: false,
    rhythms: [],
    completions: [],
    skips: [],
    notes: [],
    amounts: [],
  }
}

/** A habit without a row in Habits.csv. A file of days does not say how often the habit is to be done. */
function unknownHabit(
  named: string,
  place: number,
  keyOf: ReturnType<typeof keysOfPaths>,
  today: Day,
  rows: readonly CsvRow[],
): Found {
  const name = named === '' ? `Habit ${place + 1}` : named
  const key = keyOf(name)
  const counts = rows.some(({ cells }) => (valueIn(cells[1] ?? '') ?? 0) > skipped)
  const target: Target = counts ? { at: 'least', amount: 1000, unit: 'times', per: 'day' } : 'yes'
  return {
    habit: { ...emptyHabit(key, name, today), rhythms: [{ from_day: today, rhythm: { every: 1 }, target }] },
    loop: { numerator: 1, denominator: 1, target: counts ? { at: 'least', amount: 1000 } : null },
    row: {
      line: 1,
      what: 'habit',
      title: name,
      becomes: key,
      changed: ['The file does not say how often it is to be done: it becomes daily'],
    },
    seen: new Set(),
    history: new Map(),
  }
}

/**
 * Loop counts within any period of `denominator` days; Daymark counts in weeks, months, or periods of n days in a row. 'Once in 3
 * days' becomes once in each period, not every third day, so that completions on other days still count.
 */
function ruleOf(
  numerator: number,
  denominator: number,
  changed: string[],
): { rhythm: Rhythm; target: Target } {
  if (numerator >= denominator) return { rhythm: { every: 1 }, target: 'yes' }
  if (denominator === 7) return { rhythm: { times: numerator, per: 'week' }, target: 'yes' }
  const isMonth = denominator === 30 || denominator === 31
  if (isMonth && numerator <= 28) return { rhythm: { times: numerator, per: 'month' }, target: 'yes' }
  if (denominator > 366) {
    changed.push(`${numerator} in ${denominator} days becomes once in 366 days`)
    return { rhythm: { times: 1, days: 366 }, target: 'yes' }
  }
  return { rhythm: { times: numerator, days: denominator }, target: 'yes' }
}

function ruleOfAmount(
  { at, amount }: { at: 'least' | 'most'; amount: number },
  unitText: string,
  numerator: number,
  denominator: number,
  changed: string[],
): { rhythm: Rhythm; target: Target } {
  const target = {
    at,
    amount: Math.min(at === 'least' ? Math.max(1, amount) : amount, 1_000_000_000),
    unit: unitText === '' ? 'times' : unitText,
  }
  if (target.amount !== amount) changed.push(`Its goal becomes ${target.amount / 1000} ${target.unit}`)
  if (numerator >= denominator) return { rhythm: { every: 1 }, target: { ...target, per: 'day' } }
  if (denominator === 7) return { rhythm: { times: 1, per: 'week' }, target: { ...target, per: 'week' } }
  if (denominator === 30 || denominator === 31) {
    return { rhythm: { times: 1, per: 'month' }, target: { ...target, per: 'month' } }
  }
  const days = Math.min(366, denominator)
  changed.push(
    `${target.amount / 1000} ${target.unit} in ${denominator} days become ${target.amount / 1000} ${target.unit} on one of ${days} days`,
  )
  return { rhythm: { times: 1, days }, target: { ...target, per: 'day' } }
}

/** Reads the day of a habit. Undefined if nothing was entered and there is no note. */
function rowOf({ found, line, note, ...entry }: Entry, today: Day): ReadRow | undefined {
  const { habit, loop, seen, history } = found
  const title = `${habit.name}, ${entry.day.trim()}`
  const row: ReadRow = { line, what: 'day', title, changed: [] }
  const refuse = (refused: string): ReadRow => ({ ...row, refused })
  const day = dayOf(entry.day)
  if (!day) return refuse(`“${entry.day.trim()}” is no day`)
  const value = valueIn(entry.value)
  if (value === undefined) return refuse(`“${entry.value.trim()}” is nothing that Loop writes for a day`)
  const counts = loop.target !== null
  const says =
    value === skipped ||
    (counts ? value > 0 || (value === 0 && loop.target?.at === 'most') : value >= automatic)
  if (!says && note === '') return undefined
  if (day > today) return refuse('This day has not come yet')
  if (seen.has(day)) return refuse('This day stands in the file twice')
  seen.add(day)
  const becomes = dayKey(habit.key, day)
  if (value === skipped) {
    habit.skips.push(day)
    history.set(day, 'skipped')
  } else if (counts) {
    if (says) habit.amounts.push({ day, value: Math.min(value, 1_000_000_000) })
    history.set(day, Math.max(0, value))
  } else if (value === automatic) {
    if (note === '') return refuse('Loop filled this day in by itself: nobody did it')
    row.changed.push('Loop filled this day in by itself: only its note comes')
  } else if (value > skipped) {
    return refuse(`An amount, but “${habit.name}” is not counted`)
  } else if (value === done) {
    habit.completions.push(day)
    history.set(day, 'done')
  }
  if (note !== '') habit.notes.push({ day, note })
  return { ...row, becomes }
}

/** Sorts the days. The habit starts on the first day on which anything was done, skipped or entered. */
function finish(habit: ReadHabit, today: Day): void {
  habit.completions.sort()
  habit.skips.sort()
  habit.amounts.sort(byDay)
  habit.notes.sort(byDay)
  const firsts = [habit.completions[0], habit.skips[0], habit.amounts[0]?.day]
  habit.start = firsts.filter((day) => day !== undefined).sort()[0] ?? today
  for (const rhythm of habit.rhythms) rhythm.from_day = habit.start
}

/** Compares Loop's score with Daymark's, both on the last day of the habit's history. */
function strengthsOf({ habit, loop, history }: Found, weekStart: WeekStart): string[] {
  const theirs = strengthInLoop(habit, loop, history)
  const last = lastDay(history)
  if (theirs === undefined || last === undefined) return []
  const states = new Map<Day, 'done' | 'skipped'>()
  for (const day of habit.skips) states.set(day, 'skipped')
  for (const day of habit.completions) states.set(day, 'done')
  const track = trackOf({
    rows: habit.rhythms,
    startDay: habit.start,
    archivedOn: null,
    states,
    amounts: new Map(habit.amounts.map(({ day, value }) => [day, value])),
    pauses: [],
    weekStart,
  })
  const ours = strengthOf(track, resultsSince(track, last), dayNumber(last))
  const here = ours === null ? 'not told yet' : `${ours.toFixed(1)} %`
  return [`Strength of “${habit.name}” on its last day: ${theirs.toFixed(1)} % in Loop, ${here} here.`]
}

function strengthInLoop(
  habit: ReadHabit,
  loop: LoopHabit,
  history: ReadonlyMap<Day, LoopDay>,
): number | undefined {
  const last = lastDay(history)
  if (last === undefined) return undefined
  return loopStrength(
    loop,
    daysFrom(habit.start, last).map((day) => history.get(day) ?? null),
  )
}

function lastDay(history: ReadonlyMap<Day, LoopDay>): Day | undefined {
  return [...history.keys()].sort().at(-1)
}
