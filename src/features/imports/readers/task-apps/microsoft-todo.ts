import { becomesNote, doneAt, noteOf, someTodo } from '#features/imports/reading/gathered.ts'
import { jsonOf } from '#features/imports/reading/json-of.ts'
import type { OpenedFile, Reader, ReaderContext } from '#features/imports/reading/reading.ts'
import { type RepeatPhrase, ruleFrom } from '#features/todos/quick-add/reading/repeat-phrase.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
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
import { type ListBeingRead, readLists } from './listed-tasks.ts'
import { plainText } from './plain-text.ts'

// Microsoft offers no file; tools write the responses of its Graph API: lists {displayName, tasks: […]}. Facts:
// - `dueDateTime` is {dateTime, timeZone}: usually the person's midnight as an instant in UTC, so the day depends on the person's
//   zone (2023-07-31T05:00 in UTC is 31 July in Chicago). With another zone, the text contains the day.
// - `importance` is low, normal or high; starred tasks are high.
// - `recurrence` is {pattern: {type, interval, daysOfWeek, dayOfMonth, month, index}, range}.
// - `checklistItems` are the steps of a task. The body may be HTML.

export const microsoftTodo: Reader = {
  source: 'microsoft-todo',
  name: 'Microsoft To Do',
  recognises: (file) => listsOf(file) !== undefined,
  read: (file, context) =>
    readLists(
      listsOf(file) ?? [],
      ({ displayName }) => textOf(displayName),
      (read) => readTasks(read, context),
    ),
}

/** The lists in the file: an array, or under 'value' or 'lists'. */
function listsOf(file: OpenedFile): Fields[] | undefined {
  const json = jsonOf(file)
  const { value, lists } = fieldsOf(json)
  const found = [json, value, lists].map(eachOf).find((all) => all.some(isList))
  return found ?? (isList(fieldsOf(json)) ? [fieldsOf(json)] : undefined)
}

function isList(list: Fields): boolean {
  return 'displayName' in list && Array.isArray(list.tasks)
}

function readTasks(
  { list, key, keys, reading: { todos, rows } }: ListBeingRead,
  context: ReaderContext,
): void {
  for (const [place, task] of eachOf(list.tasks).entries()) {
    const title = textOf(task.title)
    const todo = task.id ? keys('task', textOf(task.id)) : keys('task', key, title)
    const { changed, ...read } = readTask(task, context)
    todos.push(someTodo({ key: todo, title, list: key, ...read }))
    rows.push({ line: place + 1, what: 'task', title, becomes: todo, changed })
    for (const [nth, step] of eachOf(task.checklistItems).entries()) {
      const stepTitle = textOf(step.displayName)
      const stepKey = keys('step', todo, textOf(step.id) || stepTitle)
      const created = instantOf(step.createdDateTime)
      const done =
        step.isChecked === true ? doneAt(instantOf(step.checkedDateTime), [created], context) : undefined
      todos.push(
        someTodo({
          key: stepKey,
          title: stepTitle,
          list: key,
          parent: todo,
          ...(created !== undefined && { created }),
          ...(done && { completed: done.completed }),
        }),
      )
      rows.push({
        line: nth + 1,
        what: 'subtask',
        title: stepTitle,
        becomes: stepKey,
        changed: done?.changed ?? [],
      })
    }
  }
}

function readTask(task: Fields, context: ReaderContext) {
  const changed: string[] = []
  const added: string[] = []
  const due = dueDay(fieldsOf(task.dueDateTime), context)
  const created = instantOf(task.createdDateTime)
  const isDone = textOf(task.status) === 'completed'
  const done = isDone
    ? doneAt(instantOfStamp(fieldsOf(task.completedDateTime), context), [created], context)
    : undefined
  changed.push(...(done?.changed ?? []))

  const status = textOf(task.status)
  if (['waitingOnOthers', 'deferred', 'inProgress'].includes(status)) {
    changed.push('Its status becomes a note')
    added.push(`Status: ${status.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
  }
  const start = dueDay(fieldsOf(task.startDateTime), context)
  if (start !== undefined && start !== due) {
    changed.push('The start date becomes a note')
    added.push(`Starts on ${start}`)
  }
  const reminds =
    task.isReminderOn === false ? undefined : instantOfStamp(fieldsOf(task.reminderDateTime), context)
  const reminder = reminds === undefined ? undefined : wallTimeOf(reminds, context.timeZone)
  const pattern = fieldsOf(fieldsOf(task.recurrence).pattern)
  const words = pattern.type === undefined ? undefined : wordsOf(pattern)
  const base = due ?? (words === undefined ? reminder?.day : context.today)
  const repeat =
    words === undefined ? undefined : repeatOf(fieldsOf(task.recurrence), base ?? context.today, context)
  if (words !== undefined && !repeat) {
    changed.push(becomesNote(words))
    added.push(`Repeat: ${words}`)
  }
  if (repeat && due !== undefined && repeat.from !== due) {
    changed.push(`It is first due on ${repeat.from}, a day of its repeat`)
  }
  const dueOn = repeat?.from ?? base
  if (due === undefined && reminder && !repeat) changed.push('The day of its reminder becomes the due date')
  const before = reminder && dueOn && reminderAt(reminder, dueOn)
  if (reminder && !before) changed.push('The reminder, which is after the due date, does not come')
  if (task.hasAttachments === true) changed.push('Its files stay in Microsoft To Do')
  const links = eachOf(task.linkedResources).map((link) =>
    noteOf(textOf(link.displayName), textOf(link.webUrl)),
  )
  const body = fieldsOf(task.body)
  return {
    changed,
    note: noteOf(plainText(textOf(body.content)), links.join('\n'), added.join('\n')),
    priority: ({ high: 3, low: 1 } as const)[textOf(task.importance)] ?? (0 as const),
    tags: textsOf(task.categories),
    ...(dueOn && { due: dueOn }),
    ...(before && { reminder: before }),
    ...(repeat && { repeat }),
    ...(created !== undefined && { created }),
    ...(done && { completed: done.completed }),
  }
}

/** The due day. The instant may be the person's midnight, midnight in UTC, or any time on the person's day. */
function dueDay(stamp: Fields, { timeZone }: ReaderContext): Day | undefined {
  const text = textOf(stamp.dateTime)
  const day = dayTextOf(text)
  if (day === undefined || !isUtc(stamp)) return day
  const instant = instantOf(`${text.slice(0, 19)}Z`)
  if (instant === undefined) return day
  const wall = wallTimeOf(instant, timeZone)
  return wall.time !== 0 && instant % 86_400_000 === 0 ? day : wall.day
}

function isUtc({ dateTime, timeZone = 'UTC' }: Fields): boolean {
  return (
    textOf(dateTime).endsWith('Z') || /^(utc|tzone:\/\/microsoft\/utc|etc\/gmt|gmt)$/i.test(textOf(timeZone))
  )
}

/** The instant of a local time. A zone with a Windows name is not known, but is nearly always the person's own. */
function instantOfStamp(stamp: Fields, context: ReaderContext): Instant | undefined {
  const text = textOf(stamp.dateTime)
  const read = instantOf(`${text.slice(0, 19)}Z`)
  if (read === undefined || isUtc(stamp)) return read
  const wall: WallTime = wallTimeOf(read, 'UTC')
  return instantOfWallTime(wall, normalizeTimeZone(textOf(stamp.timeZone)) ?? context.timeZone)
}

const weekdays: ReadonlyMap<string, WeekStart> = new Map([
  ['monday', 1],
  ['tuesday', 2],
  ['wednesday', 3],
  ['thursday', 4],
  ['friday', 5],
  ['saturday', 6],
  ['sunday', 7],
])
const places = new Map([
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['last', -1],
])

function repeatOf(recurrence: Fields, base: Day, context: ReaderContext): RepeatRule | undefined {
  const pattern = fieldsOf(recurrence.pattern)
  const range = fieldsOf(recurrence.range)
  const phrase = phraseOf(pattern)
  if (!phrase) return undefined
  const type = textOf(range.type)
  const until = type === 'endDate' ? daySchema.safeParse(textOf(range.endDate)).data : undefined
  const times = type === 'numbered' ? numberOf(range.numberOfOccurrences) : undefined
  if ((type === 'endDate' && !until) || (times !== undefined && !(times >= 1 && times <= 999)))
    return undefined
  const weekStart = weekdays.get(textOf(pattern.firstDayOfWeek).toLowerCase()) ?? context.weekStart
  return ruleFrom(phrase, { ...(until && { until }), ...(times && { times }) }, { base, weekStart })
}

function phraseOf(pattern: Fields): RepeatPhrase | undefined {
  const every = numberOf(pattern.interval) ?? 1
  if (!Number.isInteger(every) || every < 1 || every > 999) return undefined
  const named = textsOf(pattern.daysOfWeek).map((name) => weekdays.get(name.toLowerCase()))
  const days = named.filter((day) => day !== undefined)
  const nth = places.get(textOf(pattern.index).toLowerCase() || 'first')
  const [weekday, ...others] = days
  const month = numberOf(pattern.month) ?? 0
  const dayOfMonth = numberOf(pattern.dayOfMonth) ?? 0
  const due = { every, mode: 'due' as const }
  const isDay = dayOfMonth >= 1 && dayOfMonth <= 31
  const isNth = nth !== undefined && weekday !== undefined && others.length === 0
  const isMonth = month >= 1 && month <= 12
  switch (textOf(pattern.type)) {
    case 'daily':
      return { freq: 'day', ...due }
    case 'weekly':
      return days.length === 0 || days.length !== named.length
        ? undefined
        : { freq: 'week', ...due, weekdays: days }
    case 'absoluteMonthly':
      return isDay ? { freq: 'month', ...due, days: [dayOfMonth] } : undefined
    case 'relativeMonthly':
      return isNth ? { freq: 'month', ...due, nth: [[nth, weekday]] } : undefined
    case 'absoluteYearly':
      return isDay && isMonth ? { freq: 'year', ...due, days: [dayOfMonth], month } : undefined
    case 'relativeYearly':
      return isNth && isMonth ? { freq: 'year', ...due, nth: [[nth, weekday]], month } : undefined
    default:
      return undefined
  }
}

/** The repeat in words, for the note: 'weekly, every 2, monday'. */
function wordsOf(pattern: Fields): string {
  const every = numberOf(pattern.interval) ?? 1
  const parts = [
    textOf(pattern.type),
    `every ${every}`,
    textOf(pattern.index),
    ...textsOf(pattern.daysOfWeek),
  ]
  return parts.filter((part) => part !== '').join(', ')
}
