import { currentSeries } from '#features/imports/reading/current-series.ts'
import { comingDayInWords } from '#features/imports/reading/day-in-words.ts'
import {
  dateBecomesNote,
  doneAt,
  givenUp,
  nameOfFile,
  noteOf,
  nothingYet,
  refused,
  repeatOf,
  someList,
  someTodo,
} from '#features/imports/reading/gathered.ts'
import { inOwnOrder } from '#features/imports/reading/own-order.ts'
import {
  keysOfPaths,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type Reading,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import { addDays, type Day, dayOf, daySchema, type Instant } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import { later, minutesOfDuration } from './duration.ts'
import { type IcsComponent, type IcsProperty, icsComponents, icsText, icsTexts } from './ics-components.ts'

// Tasks of calendars (VTODO), as Apple, Nextcloud, Tasks.org and Thunderbird write them; also several calendars in a zip. Facts:
// - DUE is a day, or a time: in a zone (TZID), in UTC, or in the person's own zone.
// - Thunderbird writes DTSTART in every repeating task; without DUE it is when the first occurrence is due.
// - Several VTODO with one UID are one task: those with RECURRENCE-ID are single occurrences. EXDATE has the omitted days.
// - RELATED-TO names the parent. PRIORITY is 1 (highest) to 9; 5 is medium, 0 none. X-APPLE-SORT-ORDER is the manual order.
// - The trigger of an alarm is an instant, or relative to the start or the end.

export const ics: Reader = {
  source: 'ics',
  name: 'Calendar file (ICS)',
  recognises: (file) => calendarsIn(file).length > 0,
  read(file, context) {
    const reading = nothingYet()
    const keys = keysOfPaths()
    const files = calendarsIn(file)
    for (const { path, text } of files) {
      for (const calendar of icsComponents(text)) {
        if (calendar.name === 'VCALENDAR') readCalendar(path, calendar, keys, context, reading)
      }
    }
    return reading
  },
}

function calendarsIn(file: OpenedFile): readonly { path: string; text: string }[] {
  if (file.kind === 'text') return isCalendar(file.text) ? [{ path: file.name, text: file.text }] : []
  return file.kind === 'zip' ? file.files.filter(({ text }) => isCalendar(text)) : []
}

function isCalendar(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text.slice(0, 100))
}

type Keys = (...path: readonly string[]) => string

function readCalendar(
  path: string,
  calendar: IcsComponent,
  keys: Keys,
  context: ReaderContext,
  { lists, todos, rows }: Reading,
): void {
  const name = textOf(calendar, 'X-WR-CALNAME') || textOf(calendar, 'NAME') || nameOfFile(path)
  const tasks = calendar.components.filter((each) => each.name === 'VTODO' && !each.isCut)
  const list = keys('calendar', name)
  // A calendar from Daymark holds the tasks of all lists, and each task names its list.
  const isOwn = textOf(calendar, 'PRODID').startsWith('-//Daymark//')
  if (tasks.length > 0 && !isOwn) lists.push(someList({ key: list, name, fromName: true }))
  const listOf = (task: IcsComponent): Pick<ReadTodo, 'list'> => {
    const own = textOf(task, 'X-DAYMARK-LIST')
    if (!isOwn) return { list }
    if (own === '') return {}
    const key = JSON.stringify(['list', own])
    if (!lists.some((each) => each.key === key)) lists.push(someList({ key, name: own, fromName: true }))
    return { list: key }
  }
  const zones = zonesOf(calendar)
  const masters = new Map<string, string>()
  const keyOf = new Map<IcsComponent, string>()
  const isOneDay = (task: IcsComponent) => property(task, 'RECURRENCE-ID') !== undefined
  const whole = new Set(tasks.filter((task) => !isOneDay(task)).map((task) => textOf(task, 'UID')))
  for (const task of tasks) {
    const uid = textOf(task, 'UID')
    if (uid !== '' && isOneDay(task) && whole.has(uid)) continue
    const key = keys('task', uid || textOf(task, 'SUMMARY'))
    keyOf.set(task, key)
    if (uid !== '' && !masters.has(uid)) masters.set(uid, key)
  }
  const byKey = new Map<string, ReadTodo>()
  const place: Place = { context, zones, masters }
  for (const component of calendar.components) {
    const key = keyOf.get(component)
    if (key === undefined) continue
    const { todo, changed } = readTask(component, key, place)
    byKey.set(key, { ...todo, ...listOf(component) })
    rows.push({
      line: component.line,
      what: todo.parent === undefined ? 'task' : 'subtask',
      title: todo.title,
      becomes: key,
      changed,
    })
  }
  // The keys of repeating tasks for which the file has single occurrences.
  const described = new Set<string>()
  for (const component of calendar.components) {
    if (keyOf.has(component) || component.name === 'VTIMEZONE') continue
    const row = { line: component.line, what: 'other', title: textOf(component, 'SUMMARY') } as const
    const master = masters.get(textOf(component, 'UID'))
    const todo = master === undefined ? undefined : byKey.get(master)
    if (component.isCut) rows.push(refused(row, 'The file ends within it'))
    else if (component.name !== 'VTODO') rows.push(refused(row, kinds.get(component.name) ?? 'It is no task'))
    else if (todo) {
      described.add(todo.key)
      rows.push({ ...row, becomes: todo.key, changed: readOccurrence(component, todo, place) })
    }
  }
  for (const row of isOwn ? [] : rows) {
    const todo = byKey.get(row.becomes ?? '')
    if (todo && row.what !== 'other' && !described.has(todo.key))
      row.changed.push(...fromToday(todo, context))
  }
  todos.push(...inOwnOrder([...byKey.values()], shownPlaces(keyOf, place)))
  rows.sort((one, other) => one.line - other.line)
}

/**
 * The places of tasks in the person's manual order. If a person has moved some tasks, apps number the others by their creation,
 * in seconds since 2001. If no task has a number, the order of the file counts.
 */
function shownPlaces(keyOf: ReadonlyMap<IcsComponent, string>, place: Place): Map<string, number> {
  const orderOf = (task: IcsComponent) => Number.parseInt(textOf(task, 'X-APPLE-SORT-ORDER'), 10)
  const tasks = [...keyOf]
  if (tasks.every(([task]) => Number.isNaN(orderOf(task)))) return new Map()
  return new Map(
    tasks.flatMap(([task, key]) => {
      const order = orderOf(task)
      if (!Number.isNaN(order)) return [[key, order] as const]
      const created = instantOf(whenOf(property(task, 'CREATED'), place))
      return created === undefined ? [] : [[key, (created - Date.UTC(2001, 0)) / 1_000] as const]
    }),
  )
}

const kinds = new Map([
  ['VEVENT', 'It is an event, and Daymark has tasks only'],
  ['VJOURNAL', 'It is a journal, and Daymark has tasks only'],
])

interface Place {
  context: ReaderContext
  zones: ReadonlyMap<string, string>
  masters: ReadonlyMap<string, string>
}

function property({ properties }: IcsComponent, name: string): IcsProperty | undefined {
  return properties.find((each) => each.name === name)
}

function textOf(component: IcsComponent, name: string): string {
  return icsText(property(component, name)?.value ?? '')
}

/** The time zones by the names that this file defines. Such a name may be known to one app only. */
function zonesOf(calendar: IcsComponent): Map<string, string> {
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
  return new Map(
    zones.flatMap((zone) => {
      const place = normalizeTimeZone(textOf(zone, 'X-LIC-LOCATION'))
      return place === undefined ? [] : [[textOf(zone, 'TZID'), place] as const]
    }),
  )
}

/** A day and, if given, a time on it, in `zone`. */
interface When {
  day: Day
  time?: number
  zone: string
}

function whenOf(
  found: IcsProperty | undefined,
  { context, zones }: Place,
  text = found?.value ?? '',
): When | undefined {
  const [, year, month, date, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i.exec(text.trim()) ?? []
  const day = daySchema.safeParse(`${year}-${month}-${date}`).data
  if (day === undefined) return undefined
  if (hour === undefined) return { day, zone: context.timeZone }
  if (utc !== undefined) {
    const instant = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(instant)
      ? undefined
      : { ...wallTimeOf(instant, context.timeZone), zone: context.timeZone }
  }
  const time = Number(hour) * 60 + Number(minute)
  return time < 1_440
    ? { day, time, zone: zoneOf(found?.parameters.get('TZID') ?? '', zones, context) }
    : undefined
}

/** Resolves a zone's name. The name may have a prefix: '/freeassociation.sourceforge.net/Europe/Berlin'. */
function zoneOf(id: string, zones: ReadonlyMap<string, string>, { timeZone }: ReaderContext): string {
  return (
    normalizeTimeZone(id) ?? zones.get(id) ?? normalizeTimeZone(id.split('/').slice(-2).join('/')) ?? timeZone
  )
}

function instantOf(when: When | undefined): Instant | undefined {
  return when && instantOfWallTime({ day: when.day, time: when.time ?? 0 }, when.zone)
}

function readTask(component: IcsComponent, key: string, place: Place): { todo: ReadTodo; changed: string[] } {
  const { context, masters } = place
  const changed: string[] = []
  const added: string[] = []
  const at = (name: string) => whenOf(property(component, name), place)
  const [start, end, created] = [
    at('DTSTART'),
    at('DUE') ?? afterDuration(component, place),
    instantOf(at('CREATED')),
  ]
  for (const name of ['DTSTART', 'DUE']) {
    const value = property(component, name)?.value
    if (value === undefined || at(name)) continue
    changed.push(dateBecomesNote(value))
    added.push(`${name}: ${value}`)
  }
  const due = end ?? start
  const rule = property(component, 'RRULE')?.value
  if (!end && start && rule === undefined) changed.push('The start date becomes the due date')
  if (end && start && start.day !== end.day) {
    changed.push('The start date becomes a note')
    added.push(`Starts on ${start.day}`)
  }
  const repeats =
    rule === undefined
      ? undefined
      : repeatOf(rule, due?.day, { ...context, timeZone: due?.zone ?? context.timeZone })
  changed.push(...(repeats?.changed ?? []))
  added.push(...(repeats?.note === undefined ? [] : [repeats.note]))
  const dueDay = repeats?.due ?? due?.day
  const reminded = due && reminderOf(component, { due, start: start ?? due }, place)
  changed.push(...(reminded?.changed ?? []))

  const tags = component.properties
    .filter(({ name }) => name === 'CATEGORIES')
    .flatMap(({ value }) => icsTexts(value))
  const ownList = textOf(component, 'X-DAYMARK-LIST')
  if (ownList !== '' && tags[0] === ownList) tags.shift()
  const status = textOf(component, 'STATUS').toUpperCase()
  const percent = Number(textOf(component, 'PERCENT-COMPLETE')) || 0
  const isGivenUp = status === 'CANCELLED'
  const isDone =
    status === 'COMPLETED' || isGivenUp || (status === '' && property(component, 'COMPLETED') !== undefined)
  const done = isDone
    ? doneAt(instantOf(at('COMPLETED')), [instantOf(at('LAST-MODIFIED')), created], context)
    : undefined
  changed.push(...(done?.changed ?? []))
  if (isGivenUp) {
    tags.push(givenUp.tag)
    changed.push(givenUp.changed)
  }
  if (!isDone && percent > 0) {
    changed.push('How much of it is done becomes a note')
    added.push(`${percent} % done`)
  }
  for (const [name, label] of [
    ['LOCATION', 'Location'],
    ['URL', ''],
    ['ATTACH', 'Attachment'],
  ] as const) {
    const text =
      property(component, name)?.parameters.get('VALUE') === 'BINARY' ? 'a file' : textOf(component, name)
    if (text === '') continue
    if (text === 'a file') changed.push('A file in it does not come')
    else added.push(label === '' ? text : `${label}: ${text}`)
  }
  const parent = component.properties.find(
    ({ name, parameters }) =>
      name === 'RELATED-TO' && (parameters.get('RELTYPE') ?? 'PARENT').toUpperCase() === 'PARENT',
  )
  const parentKey = parent && masters.get(icsText(parent.value))
  if (parent && (parentKey === undefined || parentKey === key)) {
    changed.push('The task above it is missing, so it stands alone')
  }
  const days = repeats?.repeat ? leftOut(component, place) : []
  return {
    todo: someTodo({
      key,
      title: textOf(component, 'SUMMARY'),
      tags,
      priority: priorityOf(textOf(component, 'PRIORITY')),
      note: noteOf(textOf(component, 'DESCRIPTION'), added.join('\n')),
      ...(parentKey !== undefined && parentKey !== key && { parent: parentKey }),
      ...(dueDay && { due: dueDay }),
      ...(reminded?.reminder && { reminder: reminded.reminder }),
      ...(repeats?.repeat && { repeat: repeats.repeat }),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
      ...(days.length > 0 && { days }),
    }),
    changed,
  }
}

/** The end of a task that has a start and a duration. */
function afterDuration(component: IcsComponent, place: Place): When | undefined {
  const start = whenOf(property(component, 'DTSTART'), place)
  const minutes = minutesOfDuration(textOf(component, 'DURATION'))
  if (!start || minutes === undefined) return undefined
  if (start.time === undefined) return { ...start, day: addDays(start.day, Math.floor(minutes / 1_440)) }
  return { ...start, ...later({ day: start.day, time: start.time }, minutes) }
}

function priorityOf(text: string): ReadTodo['priority'] {
  const number = Number.parseInt(text, 10) || 0
  if (number < 1 || number > 9) return 0
  return number < 5 ? 3 : number === 5 ? 2 : 1
}

/** The days that EXDATE removes from a series; they count as skipped. */
function leftOut(component: IcsComponent, place: Place): NonNullable<ReadTodo['days']> {
  return component.properties
    .filter(({ name }) => name === 'EXDATE')
    .flatMap((found) => found.value.split(',').map((text) => whenOf(found, place, text)?.day))
    .filter((day) => day !== undefined)
    .map((day) => ({ day, state: 'skipped', done_on: day }))
}

/**
 * Moves the start of a series to today if the file does not describe its past days. Those days then count neither as missed nor
 * as done.
 */
function fromToday(todo: ReadTodo, { today }: ReaderContext): string[] {
  if (!todo.repeat || todo.completed) return []
  const repeat = currentSeries(todo.repeat, today)
  if (!repeat || repeat.from === todo.repeat.from) return []
  todo.repeat = repeat
  todo.due = repeat.from
  if (todo.days) todo.days = todo.days.filter(({ day }) => day >= repeat.from)
  return [
    `The file does not say what became of its past days: it goes on from ${comingDayInWords(repeat.from, today)}`,
  ]
}

/** Reads a single occurrence of a repeating task. */
function readOccurrence(component: IcsComponent, todo: ReadTodo, place: Place): string[] {
  const { context } = place
  const day = whenOf(property(component, 'RECURRENCE-ID'), place)?.day
  if (day === undefined || !todo.repeat) return ['It is another version of the same task, and does not come']
  const status = textOf(component, 'STATUS').toUpperCase()
  if (status === 'COMPLETED' || status === 'CANCELLED') {
    const at = instantOf(whenOf(property(component, 'COMPLETED'), place))
    const doneOn = at === undefined ? day : dayOf(at, context.timeZone, context.dayStart)
    const state = status === 'COMPLETED' ? 'done' : 'skipped'
    todo.days ??= []
    todo.days.push({ day, state, done_on: doneOn })
    return []
  }
  return ['This one day of it was changed, which does not come']
}

/** The first alarm that Daymark can represent. A task that has a time but no alarm gets a reminder at that time. */
function reminderOf(
  component: IcsComponent,
  { due, start }: { due: When; start: When },
  place: Place,
): Pick<ReadTodo, 'reminder'> & { changed: string[] } {
  const alarms = component.components.filter(({ name }) => name === 'VALARM')
  if (alarms.length === 0) {
    if (due.time === undefined) return { changed: [] }
    return { reminder: { days_before: 0, time: due.time }, changed: ['Its time becomes a reminder'] }
  }
  const reminders = alarms.map((alarm) => {
    const trigger = property(alarm, 'TRIGGER')
    const wall = trigger && wallOf(trigger, { due, start }, place)
    return wall && reminderAt(wall, due.day)
  })
  const reminder = reminders.find((each) => each !== undefined)
  if (!reminder) return { changed: ['Its alarm, which is not before the due date, does not come'] }
  return { reminder, changed: alarms.length > 1 ? ['Of several alarms the first comes'] : [] }
}

function wallOf(
  trigger: IcsProperty,
  { due, start }: { due: When; start: When },
  place: Place,
): WallTime | undefined {
  const minutes = minutesOfDuration(trigger.value)
  if (minutes === undefined) {
    const instant = instantOf(whenOf(trigger, place))
    return instant === undefined ? undefined : wallTimeOf(instant, due.zone)
  }
  const from = trigger.parameters.get('RELATED')?.toUpperCase() === 'END' ? due : start
  return later({ day: from.day, time: from.time ?? 0 }, minutes)
}
