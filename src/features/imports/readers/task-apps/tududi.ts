import {
  becomesNote,
  doneAt,
  givenUp,
  noteOf,
  nothingYet,
  refused,
  someList,
  someTodo,
} from '#features/imports/reading/gathered.ts'
import { jsonOf } from '#features/imports/reading/json-of.ts'
import { inOwnOrder } from '#features/imports/reading/own-order.ts'
import {
  dayKey,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { type RepeatPhrase, ruleFrom } from '#features/todos/quick-add/reading/repeat-phrase.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { type Day, dayOf } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import {
  dayTextOf,
  eachOf,
  type Fields,
  fieldsOf,
  instantOf,
  isListOfFields,
  numberOf,
  textOf,
  textsOf,
} from './json-fields.ts'

// A backup as JSON: {version, exported_at, user, data: {areas, projects, tasks, tags, notes, inbox_items, …}}. Facts:
// - Newer backups refer to other rows by uid (project_uid, parent_task_uid, tag_uids), older ones by id.
// - A due date is a day, or an instant on that day in the zone `user.timezone`.
// - `status` is 0 not started, 1 in progress, 2 done, 3 archived, 4 waiting, 5 cancelled; `priority` is 0 low, 1 medium, 2 high,
//   or none.
// - `recurrence_type` is daily, weekly, monthly, monthly_weekday or monthly_last_day; weekdays count from Sunday, which is 0. A
//   repeat creates a task for each day (`recurring_parent_id`), or has `completions`.
// - A task with `habit_mode` is a habit. `order` is the manual order of a subtask.

export const tududi: Reader = {
  source: 'tududi',
  name: 'tududi',
  recognises: (file) => dataOf(file) !== undefined,
  read(file, personal) {
    const data = dataOf(file) ?? {}
    const zone = normalizeTimeZone(textOf(fieldsOf(fieldsOf(jsonOf(file)).user).timezone))
    const context = { ...personal, timeZone: zone ?? personal.timeZone }
    const reading = nothingYet()
    const areas = namesOf(data.areas, 'area')
    const tags = namesOf(data.tags, 'tag')
    const projects = new Map<string, string>()
    for (const [place, project] of eachOf(data.projects).entries()) {
      const key = keyOf('project', project)
      const area = areas.get(idOf(project, 'area'))
      const name = [area, textOf(project.name)].filter((part) => part !== undefined).join(' / ')
      projects.set(key, key)
      const archived =
        project.active === false || /^(done|completed|cancelled|archived)$/.test(textOf(project.status))
      reading.lists.push(someList({ key, name, archived }))
      const changed = [
        ...(area === undefined ? [] : [`It is in the area "${area}", and is called "${name}"`]),
        ...(textOf(project.description) === ''
          ? []
          : ['Its description does not come, since lists have none']),
      ]
      reading.rows.push({ line: place + 1, what: 'list', title: name, becomes: key, changed })
    }
    const tasks = eachOf(data.tasks)
    const known = new Set(tasks.map((task) => keyOf('task', task)))
    for (const [place, task] of tasks.entries()) {
      if (task.habit_mode === true) readHabit(task, place + 1, context, reading)
      else readTask(task, place + 1, { context, tags, projects, known }, reading)
    }
    const places = tasks.map((task) => [keyOf('task', task), numberOf(task.order)] as const)
    reading.todos = inOwnOrder(
      reading.todos,
      new Map(places.flatMap(([key, order]) => (order === undefined ? [] : [[key, order] as const]))),
    )
    for (const [place, item] of eachOf(data.inbox_items).entries())
      readInboxItem(item, place + 1, context, reading)
    for (const [kind, reason] of [
      ['notes', 'Daymark has no notes of a list'],
      ['goals', 'Daymark has no goals'],
    ] as const) {
      for (const [place, each] of eachOf(data[kind]).entries()) {
        const title = textOf(each.title) || textOf(each.content).slice(0, 100)
        reading.rows.push(refused({ line: place + 1, what: 'other', title }, reason))
      }
    }
    return reading
  },
}

function dataOf(file: OpenedFile): Fields | undefined {
  const json = fieldsOf(jsonOf(file))
  const data = fieldsOf(json.data)
  const isBackup = 'version' in json && [data.areas, data.projects, data.tags].every(isListOfFields)
  return isBackup && isListOfFields(data.tasks) ? data : undefined
}

/** The key of a row: by its uid, or in older backups by its id. */
function keyOf(kind: string, each: Fields): string {
  return `${kind}:${textOf(each.uid) || textOf(each.id)}`
}

/** The key of the row that `kind_uid` or `kind_id` refers to, if given. */
function idOf(each: Fields, name: string, kind = name): string {
  return `${kind}:${textOf(each[`${name}_uid`]) || textOf(each[`${name}_id`])}`
}

/** The names of rows by key, and also by id, which older references use. */
function namesOf(value: unknown, kind: string): Map<string, string> {
  const all = eachOf(value)
  const byId = all.map((each): [string, string] => [`${kind}:${textOf(each.id)}`, textOf(each.name)])
  return new Map([...byId, ...all.map((each): [string, string] => [keyOf(kind, each), textOf(each.name)])])
}

interface Known {
  context: ReaderContext
  tags: ReadonlyMap<string, string>
  projects: ReadonlyMap<string, string>
  known: ReadonlySet<string>
}

const statuses = ['not_started', 'in_progress', 'done', 'archived', 'waiting', 'cancelled', 'planned']
const priorities: Readonly<Record<string, ReadTodo['priority']>> = {
  0: 1,
  1: 2,
  2: 3,
  low: 1,
  medium: 2,
  high: 3,
}

function readTask(
  task: Fields,
  line: number,
  { context, tags, projects, known }: Known,
  { todos, rows }: Reading,
): void {
  const key = keyOf('task', task)
  const title = textOf(task.name)
  const changed: string[] = []
  const added: string[] = []
  const status = typeof task.status === 'number' ? statuses[task.status] : textOf(task.status)
  const created = instantOf(task.created_at)
  const isDone = status === 'done' || status === 'archived' || status === 'cancelled'
  const done = isDone
    ? doneAt(instantOf(task.completed_at), [instantOf(task.updated_at), created], context)
    : undefined
  changed.push(...(done?.changed ?? []))
  const named = textsOf(task.tag_uids).flatMap((uid) => tags.get(`tag:${uid}`) ?? [])
  const own = [...named, ...eachOf(task.tags ?? task.Tags).map(({ name }) => textOf(name))].filter(
    (tag) => tag !== '',
  )
  if (status === 'cancelled') {
    own.push(givenUp.tag)
    changed.push(givenUp.changed)
  }
  if (status === 'waiting') {
    changed.push('Its status becomes a note')
    added.push('Status: waiting')
  }
  const due = dayIn(task.due_date, context)
  const later = dayIn(task.defer_until, context)
  if (later !== undefined) {
    changed.push('Until when it is put off becomes a note')
    added.push(`Put off until ${later}`)
  }
  const recurrence = textOf(task.recurrence_type)
  const repeats = recurrence !== '' && recurrence !== 'none'
  const repeat = repeats ? ruleOf(task, recurrence, due ?? context.today, context) : undefined
  if (repeats && !repeat) {
    changed.push(becomesNote(recurrence))
    added.push(`Repeat: ${recurrence}, every ${numberOf(task.recurrence_interval) ?? 1}`)
  }
  if (repeat && due !== undefined && repeat.from !== due) {
    changed.push(`It is first due on ${repeat.from}, a day of its repeat`)
  }
  const files = eachOf(task.attachments).map((file) => textOf(file.original_filename) || 'a file')
  if (files.length > 0) changed.push(`Its files do not come: ${files.join(', ')}`)
  const parent = idOf(task, 'parent_task', 'task')
  const project = projects.get(idOf(task, 'project'))
  const isSubtask = known.has(parent) && parent !== key
  const dueDay = repeat?.from ?? due
  const days = repeat ? occurrencesOf(task, context) : []
  const estimate = numberOf(task.estimated_duration) ?? numberOf(task.estimate)
  todos.push(
    someTodo({
      key,
      title,
      tags: own,
      priority: priorities[textOf(task.priority)] ?? 0,
      note: noteOf(textOf(task.note), textOf(task.description), added.join('\n')),
      ...(isSubtask && { parent }),
      ...(project !== undefined && { list: project }),
      ...(dueDay && { due: dueDay }),
      ...(repeat && { repeat }),
      ...(estimate !== undefined && estimate >= 1 && { estimate }),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
      ...(days.length > 0 && { days }),
    }),
  )
  rows.push({ line, what: isSubtask ? 'subtask' : 'task', title, becomes: key, changed })
}

/** The day of an instant. Midnight in UTC means that day; other instants are read in the person's zone. */
function dayIn(value: unknown, { timeZone }: ReaderContext): Day | undefined {
  const instant = instantOf(value)
  if (instant === undefined) return undefined
  return instant % 86_400_000 === 0 ? dayTextOf(new Date(instant).toISOString()) : dayOf(instant, timeZone, 0)
}

function occurrencesOf(task: Fields, context: ReaderContext): NonNullable<ReadTodo['days']> {
  return eachOf(task.completions ?? task.Completions).flatMap((completion) => {
    const doneOn = dayIn(completion.completed_at, context)
    const day = dayIn(completion.original_due_date, context) ?? doneOn
    if (day === undefined) return []
    return [{ day, state: completion.skipped === true ? 'skipped' : 'done', done_on: doneOn ?? day } as const]
  })
}

/** Converts a weekday; Sunday is 0. */
function weekdayOf(number: number | undefined): WeekStart | undefined {
  const all: readonly WeekStart[] = [7, 1, 2, 3, 4, 5, 6]
  return number === undefined ? undefined : all[number]
}

function ruleOf(task: Fields, type: string, base: Day, context: ReaderContext): RepeatRule | undefined {
  const every = numberOf(task.recurrence_interval) || 1
  if (!Number.isInteger(every) || every < 1 || every > 999) return undefined
  const phrase = phraseOf(task, type, every)
  if (!phrase) return undefined
  const until = dayIn(task.recurrence_end_date, context)
  if (task.completion_based !== true) {
    return ruleFrom(phrase, { ...(until && { until }) }, { base, weekStart: context.weekStart })
  }
  const done: RepeatPhrase = { freq: phrase.freq, every, mode: 'done' }
  return ruleFrom(done, { ...(until && { until }) }, { base, weekStart: context.weekStart })
}

function phraseOf(task: Fields, type: string, every: number): RepeatPhrase | undefined {
  const due = { every, mode: 'due' as const }
  const weekday = weekdayOf(numberOf(task.recurrence_weekday))
  const listed = Array.isArray(task.recurrence_weekdays)
    ? task.recurrence_weekdays.map((day: unknown) => weekdayOf(numberOf(day)))
    : []
  const weekdays = (listed.length > 0 ? listed : [weekday]).filter((day) => day !== undefined)
  const week = numberOf(task.recurrence_week_of_month)
  const monthDay = numberOf(task.recurrence_month_day)
  switch (type) {
    case 'daily':
      return { freq: 'day', ...due }
    case 'weekly':
      return { freq: 'week', ...due, ...(weekdays.length > 0 && { weekdays }) }
    case 'monthly': {
      const isDay = monthDay === -1 || (monthDay !== undefined && monthDay >= 1 && monthDay <= 31)
      return { freq: 'month', ...due, ...(isDay && { days: [monthDay] }) }
    }
    case 'monthly_last_day':
      return { freq: 'month', ...due, days: [-1] }
    case 'monthly_weekday':
      // Week 5 means the last such weekday of the month.
      return weekday === undefined || week === undefined || (week !== -1 && !(week >= 1 && week <= 5))
        ? undefined
        : { freq: 'month', ...due, nth: [[week === 5 ? -1 : week, weekday]] }
    case 'yearly':
      return { freq: 'year', ...due }
    default:
      return undefined
  }
}

function readHabit(task: Fields, line: number, context: ReaderContext, { habits, rows }: Reading): void {
  const key = keyOf('task', task)
  const name = textOf(task.name)
  rows.push({ line, what: 'habit', title: name, becomes: key, changed: [] })
  const completions: Day[] = []
  const skips: Day[] = []
  for (const [place, completion] of eachOf(task.completions ?? task.Completions).entries()) {
    const at = instantOf(completion.completed_at)
    const day = at === undefined ? undefined : dayOf(at, context.timeZone, context.dayStart)
    const row = { line: place + 1, what: 'day', title: `${name}, ${day ?? ''}` } as const
    if (day === undefined) {
      rows.push(refused(row, 'It is no day'))
      continue
    }
    ;(completion.skipped === true ? skips : completions).push(day)
    rows.push({ ...row, becomes: dayKey(key, day), changed: [] })
  }
  const created = instantOf(task.created_at)
  const first = [...completions, ...skips].toSorted()[0]
  const start = first ?? dayOf(created ?? context.now, context.timeZone, context.dayStart)
  const times = Math.max(1, Math.round(numberOf(task.habit_target_count) ?? 1))
  const period = textOf(task.habit_frequency_period)
  const rhythm: ReadHabit['rhythms'][number]['rhythm'] =
    period === 'weekly' || period === 'monthly'
      ? { times, per: period === 'weekly' ? 'week' : 'month' }
      : { every: 1 }
  const archived = task.status === 3 || task.status === 'archived'
  habits.push({
    key,
    name,
    description: noteOf(textOf(task.note), textOf(task.description)),
    start,
    archived,
    ...(created !== undefined && { created }),
    rhythms: [{ from_day: start, rhythm, target: 'yes' }],
    completions,
    skips,
    notes: [],
    amounts: [],
  })
}

function readInboxItem(item: Fields, line: number, context: ReaderContext, { todos, rows }: Reading): void {
  const title = textOf(item.title) || textOf(item.content)
  const row = { line, what: 'task', title } as const
  if (textOf(item.status) === 'deleted') {
    rows.push(refused(row, 'It was deleted'))
    return
  }
  const key = keyOf('inbox', item)
  const created = instantOf(item.created_at)
  const done =
    textOf(item.status) === 'processed' ? doneAt(instantOf(item.updated_at), [created], context) : undefined
  todos.push(
    someTodo({
      key,
      title,
      note: textOf(item.content) === title ? '' : textOf(item.content),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
    }),
  )
  rows.push({ ...row, becomes: key, changed: done ? ['It was sorted already: it comes as done'] : [] })
}
