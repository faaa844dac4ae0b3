import { currentSeries } from '#features/imports/reading/current-series.ts'
import { notDone } from '#features/imports/reading/days-of-habit.ts'
import {
  doneAt,
  noteOf,
  nothingYet,
  refused,
  someList,
  someTodo,
} from '#features/imports/reading/gathered.ts'
import { jsonOf } from '#features/imports/reading/json-of.ts'
import { inOwnOrder, placesOf } from '#features/imports/reading/own-order.ts'
import {
  dayKey,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { ruleFrom } from '#features/todos/quick-add/reading/repeat-phrase.ts'
import { comesBackOn } from '#features/todos/repeat/rule/repeat.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import { addDays, type Day, dayOf, daySchema } from '#platform/calendar/day.ts'
import { wallTimeOf } from '#platform/calendar/wall-time.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import {
  dayTextOf,
  eachOf,
  type Fields,
  fieldsOf,
  instantOf,
  numberOf,
  textOf,
  textsOf,
} from './json-fields.ts'

// A backup as JSON. Facts:
// - {timestamp, lastUpdate, crossModelVersion, data: {task, project, …}}; old backups are `data` alone. Each kind is {ids,
//   entities}.
// - Archived tasks are in archiveYoung.task and archiveOld.task, in old backups in taskArchive.
// - `taskIds` and `backlogTaskIds` of a project, and `subTaskIds` of a task, have the order of the screen.
// - A task is due on `dueDay`, or at `dueWithTime` (in old backups `plannedAt`), in milliseconds.
// - `timeSpentOnDay` has milliseconds by day; for a task with subtasks it is the sum of theirs.
// - `taskRepeatCfg` creates a task (`repeatCfgId`) for each day on which it is due.
// - `simpleCounter.countOnDay` has a count by day; for a stop watch, milliseconds.
// - Files of its sync may be encrypted or compressed: they begin with pf_.

export const superProductivity: Reader = {
  source: 'super-productivity',
  name: 'Super Productivity',
  recognises: (file) => file.kind === 'text' && (isSealed(file) || dataOf(file) !== undefined),
  read(file, context) {
    if (file.kind === 'text' && isSealed(file)) {
      return {
        problem:
          'This file of Super Productivity is encrypted or compressed. In Super Productivity, export your data as a file, and import that.',
      }
    }
    const data = dataOf(file)
    if (!data) return { problem: 'This is no backup of Super Productivity.' }
    const reading = nothingYet()
    readProjects(data, reading)
    readTasks(data, context, reading)
    reading.todos = inOwnOrder(reading.todos, placesOf(shownTasks(data)))
    let empty = 0
    for (const [place, counter] of entitiesOf(data.simpleCounter).entries()) {
      empty += readCounter(counter, place + 1, context, reading)
    }
    reading.notes.push(...notDone(empty))
    for (const [place, note] of entitiesOf(data.note).entries()) {
      const title = textOf(note.content).slice(0, 100)
      reading.rows.push(refused({ line: place + 1, what: 'other', title }, 'Daymark has no notes of a list'))
    }
    return reading
  },
}

function isSealed({ text }: { text: string }): boolean {
  return /^pf_[CE]/.test(text)
}

function dataOf(file: OpenedFile): Fields | undefined {
  const json = fieldsOf(jsonOf(file))
  const found = [fieldsOf(json.data), json].find((data) => 'entities' in fieldsOf(data.task))
  return found && ('project' in found || 'taskRepeatCfg' in found || 'globalConfig' in found)
    ? found
    : undefined
}

/** The entities in the order of `ids`, followed by any that `ids` leaves out. */
function entitiesOf(value: unknown): Fields[] {
  const { ids, entities } = fieldsOf(value)
  const byId = new Map(Object.entries(fieldsOf(entities)))
  const named = textsOf(ids).filter((id) => byId.has(id))
  return [...new Set([...named, ...byId.keys()])].map((id) => ({ id, ...fieldsOf(byId.get(id)) }))
}

const taskKey = (id: string) => `task:${id}`
const listKey = (id: string) => `project:${id}`

function readProjects({ project }: Fields, { lists, rows }: Reading): void {
  for (const [place, each] of entitiesOf(project).entries()) {
    const [key, name] = [listKey(textOf(each.id)), textOf(each.title)]
    lists.push(someList({ key, name, archived: each.isArchived === true }))
    rows.push({ line: place + 1, what: 'list', title: name, becomes: key, changed: [] })
  }
}

/** The keys of tasks in the order of their project, with its backlog last, or of their parent task. */
function shownTasks({ project, task }: Fields): string[] {
  const ofProjects = entitiesOf(project).flatMap(({ taskIds, backlogTaskIds }) => [
    ...textsOf(taskIds),
    ...textsOf(backlogTaskIds),
  ])
  const subtasks = entitiesOf(task).flatMap(({ subTaskIds }) => textsOf(subTaskIds))
  return [...new Set([...ofProjects, ...subtasks])].map(taskKey)
}

interface Known {
  context: ReaderContext
  tags: ReadonlyMap<string, string>
  projects: ReadonlySet<string>
  reminders: ReadonlyMap<string, Fields>
  tasks: ReadonlySet<string>
  /** The repeat configurations, by the id of the open task that repeats. */
  repeats: ReadonlyMap<string, Fields>
}

/**
 * What a repeat configuration has created: the key of the open task, and the due day and completion day of the last task that was
 * done.
 */
interface Made {
  open?: string
  done?: { day: Day; on: Day }
}

function readTasks(data: Fields, context: ReaderContext, reading: Reading): void {
  const open = entitiesOf(data.task)
  const current = new Set(open.map(({ id }) => textOf(id)))
  const archives = [data.taskArchive, fieldsOf(data.archiveYoung).task, fieldsOf(data.archiveOld).task]
  const seen = new Set<string>()
  // A task that is being archived may be in two places; the first one counts.
  const tasks = [...open, ...archives.flatMap(entitiesOf)].filter(({ id }) => {
    const isNew = !seen.has(textOf(id))
    seen.add(textOf(id))
    return isNew
  })
  const configs = new Map(entitiesOf(data.taskRepeatCfg).map((config) => [textOf(config.id), config]))
  const repeats = new Map<string, Fields>()
  const made = new Map<string, Made>()
  for (const task of tasks) {
    const id = textOf(task.repeatCfgId)
    const config = configs.get(id)
    if (!config) continue
    const before = made.get(id) ?? {}
    if (task.isDone === true || !current.has(textOf(task.id))) {
      const done = doneOfRepeat(task, context)
      if (done && done.day > (before.done?.day ?? '')) made.set(id, { ...before, done })
    } else if (config.isPaused !== true && before.open === undefined) {
      repeats.set(textOf(task.id), config)
      made.set(id, { ...before, open: textOf(task.id) })
    }
  }
  const known: Known = {
    context,
    tags: new Map(entitiesOf(data.tag).map(({ id, title }) => [textOf(id), textOf(title)])),
    projects: new Set(entitiesOf(data.project).map(({ id }) => textOf(id))),
    reminders: new Map(eachOf(data.reminders).map((reminder) => [textOf(reminder.id), reminder])),
    tasks: seen,
    repeats,
  }
  for (const [place, task] of tasks.entries()) readTask(task, place + 1, known, reading)
  for (const [place, config] of [...configs.values()].entries()) {
    readConfig(config, place + 1, made.get(textOf(config.id)) ?? {}, known, reading)
  }
}

function readTask(task: Fields, line: number, known: Known, { todos, sessions, rows }: Reading): void {
  const { context } = known
  const id = textOf(task.id)
  const title = textOf(task.title)
  const changed: string[] = []
  const added: string[] = []
  const parent = known.tasks.has(textOf(task.parentId)) ? textOf(task.parentId) : undefined
  const created = instantOf(task.created)
  const at = instantOf(task.dueWithTime) ?? instantOf(task.plannedAt)
  const wall = at === undefined ? undefined : wallTimeOf(at, context.timeZone)
  const due = dayTextOf(task.dueDay) ?? wall?.day
  const reminds =
    instantOf(known.reminders.get(textOf(task.reminderId))?.remindAt) ?? instantOf(task.remindAt)
  const config = known.repeats.get(id)
  const repeat = config && ruleOf(config, due ?? context.today, context)
  if (repeat && due !== undefined && repeat.from !== due) {
    changed.push(`It is first due on ${repeat.from}, a day of its repeat`)
  }
  const dueDay = repeat?.from ?? due
  const remindsOn = reminds === undefined ? wall : wallTimeOf(reminds, context.timeZone)
  const reminder =
    remindsOn && dueDay && reminderAt(repeat && wall ? { ...wall, day: dueDay } : remindsOn, dueDay)
  if (reminds === undefined && reminder) changed.push('Its time becomes a reminder')

  const done =
    task.isDone === true ? doneAt(instantOf(task.doneOn), [lastSpent(task), created], context) : undefined
  changed.push(...(done?.changed ?? []))
  const files = eachOf(task.attachments).map((file) =>
    [textOf(file.title), textOf(file.originalImgPath) || textOf(file.path)]
      .filter((part) => part !== '')
      .join(': '),
  )
  if (files.length > 0) changed.push('Of its attachments the addresses come, in the note')
  if (textOf(task.issueId) !== '') {
    changed.push('The issue that it belongs to becomes a note')
    added.push(`Issue: ${textOf(task.issueType)} ${textOf(task.issueId)}`)
  }
  const estimate = (numberOf(task.timeEstimate) ?? 0) / 60_000
  const tags = textsOf(task.tagIds).filter((tag) => tag !== 'TODAY')
  const list = textOf(task.projectId)
  const key = taskKey(id)
  todos.push(
    someTodo({
      key,
      title,
      note: noteOf(textOf(task.notes), files.join('\n'), added.join('\n')),
      tags: tags.flatMap((tag) => known.tags.get(tag) ?? []),
      ...(parent !== undefined && { parent: taskKey(parent) }),
      ...(known.projects.has(list) && { list: listKey(list) }),
      ...(dueDay && { due: dueDay }),
      ...(reminder && { reminder }),
      ...(repeat && { repeat }),
      ...(estimate >= 1 && { estimate }),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
    }),
  )
  rows.push({ line, what: parent === undefined ? 'task' : 'subtask', title, becomes: key, changed })
  // The time of a parent task is the sum of its subtasks' times, so ignore it.
  if (textsOf(task.subTaskIds).some((each) => known.tasks.has(each))) return
  for (const [nth, [text, spent]] of Object.entries(fieldsOf(task.timeSpentOnDay)).entries()) {
    const day = daySchema.safeParse(text).data
    const seconds = Math.round((numberOf(spent) ?? 0) / 1_000)
    const row = { line: nth + 1, what: 'session', title: `${title}, ${text}` } as const
    if (day === undefined || seconds < 1 || seconds > 86_400) {
      rows.push(refused(row, day === undefined ? 'It is on no day' : 'It is no time, or longer than a day'))
      continue
    }
    const session = `time:${id}:${day}`
    sessions.push({
      key: session,
      kind: 'total',
      duration: seconds,
      days: [{ day, seconds }],
      todo: key,
    })
    rows.push({ ...row, becomes: session, changed: [] })
  }
}

/** Noon of the last day on which time was spent on the task. */
function lastSpent(task: Fields): number | undefined {
  const days = Object.keys(fieldsOf(task.timeSpentOnDay)).toSorted()
  return instantOf(`${days.at(-1)}T12:00:00Z`)
}

/** The day of a done task that a repeat configuration created: its due day or, without one, the day of its creation. */
function doneOfRepeat(task: Fields, { timeZone, dayStart }: ReaderContext): Made['done'] {
  const dayAt = (at: number | undefined) => (at === undefined ? undefined : dayOf(at, timeZone, dayStart))
  const made = dayAt(instantOf(task.dueWithTime) ?? instantOf(task.plannedAt) ?? instantOf(task.created))
  const day = dayTextOf(task.dueDay) ?? made
  return day && { day, on: dayAt(instantOf(task.doneOn)) ?? day }
}

/** The repeat from its next open day on; undefined if the repeat has ended. */
function comingSeries(rule: RepeatRule, done: Made['done'], today: Day): RepeatRule | undefined {
  if (done === undefined) return currentSeries(rule, today)
  if (rule.mode === 'done')
    return currentSeries({ ...rule, from: comesBackOn(rule, done.day, done.on) }, today)
  const next = addDays(done.day, 1)
  return currentSeries(rule, next > today ? next : today)
}

/** Reads a repeat configuration. The repeating task is the open task that it created or, without one, a new task. */
function readConfig(
  config: Fields,
  line: number,
  { open, done }: Made,
  { context, tags, projects }: Known,
  { todos, rows }: Reading,
): void {
  const title = textOf(config.title)
  const row = { line, what: 'other', title } as const
  if (config.isPaused === true) {
    rows.push(refused(row, 'This repeat is paused'))
    return
  }
  const rule = ruleOf(config, dayTextOf(config.startDate) ?? context.today, context)
  if (!rule) {
    rows.push(refused(row, 'Daymark does not have this repeat'))
    return
  }
  if (open !== undefined) {
    rows.push({
      ...row,
      becomes: taskKey(open),
      changed: ['The repeat becomes part of the task that is open'],
    })
    return
  }
  const repeat = comingSeries(rule, done, context.today)
  if (!repeat) {
    rows.push(refused(row, 'This repeat has ended'))
    return
  }
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(textOf(config.startTime)) ?? []
  const estimate = (numberOf(config.defaultEstimate) ?? 0) / 60_000
  const list = textOf(config.projectId)
  const key = `repeat:${textOf(config.id)}`
  const todo: ReadTodo = someTodo({
    key,
    title,
    note: textOf(config.notes),
    due: repeat.from,
    repeat,
    tags: textsOf(config.tagIds).flatMap((tag) => tags.get(tag) ?? []),
    ...(projects.has(list) && { list: listKey(list) }),
    ...(hour !== undefined && { reminder: { days_before: 0, time: Number(hour) * 60 + Number(minute) } }),
    ...(estimate >= 1 && { estimate }),
  })
  todos.push(todo)
  rows.push({ ...row, what: 'task', becomes: key, changed: [] })
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const cycles = new Map([
  ['DAILY', 'day'],
  ['WEEKLY', 'week'],
  ['MONTHLY', 'month'],
  ['YEARLY', 'year'],
] as const)

function ruleOf(config: Fields, base: Day, { weekStart }: ReaderContext): RepeatRule | undefined {
  const cycle = textOf(config.repeatCycle)
  const freq = [...cycles].find(([name]) => name === cycle)?.[1]
  const every = numberOf(config.repeatEvery) ?? 1
  if (freq === undefined || !Number.isInteger(every) || every < 1 || every > 999) return undefined
  const mode = config.repeatFromCompletionDate === true ? 'done' : 'due'
  const named = weekdays.flatMap((name, place) => (config[name] === true ? [(place + 1) as WeekStart] : []))
  const start = dayTextOf(config.startDate)
  const phrase =
    mode === 'done'
      ? { freq, every, mode }
      : freq === 'week'
        ? { freq, every, mode, weekdays: named.length > 0 ? named : [weekdayOf(base)] }
        : { freq, every, mode, ...dateOf(freq, start) }
  return ruleFrom({ ...phrase, mode }, {}, { base, weekStart })
}

/** A monthly or yearly repeat comes on the date of its start. */
function dateOf(freq: 'day' | 'month' | 'year', start: Day | undefined): { days?: number[]; month?: number } {
  if (freq === 'day' || start === undefined) return {}
  const days = [Number(start.slice(8))]
  return freq === 'month' ? { days } : { days, month: Number(start.slice(5, 7)) }
}

/** Reads a counter, which becomes a habit with an amount for each day. Returns how many days had a count of 0. */
function readCounter(
  counter: Fields,
  line: number,
  context: ReaderContext,
  { habits, rows }: Reading,
): number {
  const name = textOf(counter.title)
  const key = `counter:${textOf(counter.id)}`
  const isWatch = /^stopwatch$/i.test(textOf(counter.type)) || counter.totalTimeOnDay !== undefined
  const inUnits = (count: number) => (isWatch ? count / 60_000 : count)
  const goal = inUnits(numberOf(counter.streakMinValue) ?? 0)
  const target = {
    at: 'least',
    amount: Math.max(1, Math.round((goal || 1) * 1_000)),
    unit: isWatch ? 'min' : goal > 1 ? 'times' : '×',
    per: 'day',
  } as const
  const daily = isWatch ? 'It becomes a daily goal of 1 minute' : 'It becomes a daily goal of once'
  const counts = { ...fieldsOf(counter.totalTimeOnDay), ...fieldsOf(counter.countOnDay) }
  rows.push({ line, what: 'habit', title: name, becomes: key, changed: goal > 0 ? [] : [daily] })
  const amounts: ReadHabit['amounts'] = []
  let empty = 0
  for (const [nth, [text, count]] of Object.entries(counts).entries()) {
    const day = daySchema.safeParse(text).data
    const value = Math.round(inUnits(numberOf(count) ?? 0) * 1_000)
    const row = { line: nth + 1, what: 'day', title: `${name}, ${text}` } as const
    if (day === undefined) {
      rows.push(refused(row, 'It is no day'))
      continue
    }
    if (value <= 0) {
      empty += 1
      continue
    }
    amounts.push({ day, value })
    rows.push({ ...row, becomes: dayKey(key, day), changed: [] })
  }
  const first = amounts.map(({ day }) => day).toSorted()[0]
  const start = first ?? dayOf(context.now, context.timeZone, context.dayStart)
  const named = Object.entries(fieldsOf(counter.streakWeekDays)).flatMap(([day, isOn]) =>
    isOn === true ? [Number(day) === 0 ? 7 : Number(day)] : [],
  )
  const isSome = counter.isTrackStreaks === true && named.length > 0 && named.length < 7
  habits.push({
    key,
    name,
    description: '',
    start,
    archived: counter.isEnabled === false,
    rhythms: [{ from_day: start, rhythm: isSome ? { weekdays: named.toSorted() } : { every: 1 }, target }],
    completions: [],
    skips: [],
    notes: [],
    amounts,
  })
  return empty
}
