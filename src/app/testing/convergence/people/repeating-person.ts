import fc from 'fast-check'
import type { Preferences } from '#features/preferences/preferences.ts'
import { changePreferences } from '#features/preferences/web/preferences-queries.ts'
import { filledIn, type RepeatRule, ruleOf, type SentRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { allShownOn, dueOf, movedBy, occurrenceToSet } from '#features/todos/todo/shown-todo.ts'
import { parentOf } from '#features/todos/todo/subtasks.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import {
  addTodo,
  editTodo,
  openSubtasks,
  setTodoCompleted,
  settleOccurrence,
  type TodoChanges,
} from '#features/todos/todo/web/todo-queries.ts'
import { addDays, type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Calendar, DeviceDay } from '../rules/deed.ts'
import type { Change } from '../rules/rule.ts'
import { ChangeBuilder, type ChangeOrigin, type QueueableChange } from './one-change.ts'
import type { View } from './view.ts'

// What a person does to repeating to-dos, either with the app or with an older client that knows only `completed` and `due_day`.

/** An intended action. The row and the details depend on what the person sees. */
export interface RepeatingIntent {
  action: (typeof actions)[number]
  which: number
  value: number
}

const actions = [
  'tick',
  'tick',
  'tick',
  'tick',
  'tick missed',
  'tick missed',
  'skip',
  'undo',
  'undo',
  'reopen',
  'move',
  'move',
  'give rule',
  'give rule',
  'end rule',
  'take away',
  'tick subtask',
  'tick subtask',
  'change zone',
  'change day start',
] as const

export const repeatingIntent: fc.Arbitrary<RepeatingIntent> = fc.record({
  action: fc.constantFrom(...actions),
  which: fc.nat(3),
  value: fc.nat(11),
})

/** Two devices' actions on the same occurrence. */
export const meetingIntents: fc.Arbitrary<[RepeatingIntent, RepeatingIntent]> = fc
  .record({
    one: fc.constantFrom('tick', 'tick', 'skip'),
    other: fc.constantFrom('skip', 'tick', 'tick', 'undo'),
    which: fc.nat(1),
    value: fc.nat(11),
  })
  .map(({ one, other, ...of }) => [
    { action: one, ...of },
    { action: other, ...of },
  ])

interface Sees {
  view: View
  /** Changes made in the same tab. */
  made: readonly Change[]
  /** Whether the client knows only `completed` and `due_day`. */
  older: boolean
}

interface Doing extends Sees {
  builder: ChangeBuilder
  on: DeviceDay
  /** The to-dos as a screen shows them. */
  todos: readonly Todo[]
}

/** The change that results from an intent, for a person whose clock says `deviceTime`. */
export function repeatingChange(
  intent: RepeatingIntent,
  origin: ChangeOrigin,
  deviceTime: Instant,
  sees: Sees,
): QueueableChange | undefined {
  const [preferences] = sees.view.preferences ?? []
  if (!preferences || !sees.view.todos) return undefined
  const builder = new ChangeBuilder(origin, deviceTime)
  if (intent.action === 'change zone' || intent.action === 'change day start') {
    return calendarChange(intent, builder)
  }
  const on = deviceDay(deviceTime, preferences)
  const todos = sees.older ? sees.view.todos : allShownOn(sees.view.todos, on.today)
  return todoChange(intent, { ...sees, builder, on, todos })
}

export function deviceDay(now: Instant, { time_zone, day_start }: Preferences): DeviceDay {
  return { now, time_zone, day_start, today: dayOf(now, time_zone, day_start) }
}

/** Adds a to-do that a schedule begins with, as a subtask if `parent_id` is set. Each call adds the next one. */
export function firstTodo(
  origin: ChangeOrigin,
  deviceTime: Instant,
  { view }: Pick<Sees, 'view'>,
  rule: number | undefined,
  parent_id: string | null,
): QueueableChange | undefined {
  const [preferences] = view.preferences ?? []
  if (!preferences) return undefined
  const builder = new ChangeBuilder(origin, deviceTime)
  const on = deviceDay(deviceTime, preferences)
  const { at, text: title } = builder
  const id = builder.newId()
  const repeat =
    rule === undefined ? null : pickedRule(rule, addDays(on.today, -(pick([0, 0, 3, 40, 200], rule) ?? 0)))
  const vars = { id, title, at, parent_id, ...(repeat && { repeat, due_day: repeat.from }) }
  const fields = { title, parent_id, repeat: repeat && JSON.stringify(repeat) }
  const change = builder.build('add', addTodo, id, vars, fields)
  return repeat ? { ...change, deed: { on, does: 'rule', rule: repeat } } : change
}

function todoChange(intent: RepeatingIntent, doing: Doing): QueueableChange | undefined {
  const { action, which } = intent
  const { todos, older } = doing
  if (action === 'undo') return undone(doing)
  const below = todos.filter(({ parent_id }) => parent_id !== null)
  const top = todos.filter(({ parent_id }) => parent_id === null)
  if (action === 'tick subtask') {
    const subtask = pick(below, which)
    return subtask && completion(subtask, doing)
  }
  const todo = pick(top, which)
  if (!todo) return undefined
  if (action === 'tick') return completion(todo, doing)
  if (action === 'move') return move(todo, intent, doing)
  // An older client has no other actions.
  if (older) return completion(todo, doing)
  if (action === 'reopen') return settled(todo, doing, false)
  if (action === 'tick missed' || action === 'skip') return settledFromDetails(todo, intent, doing)
  return ruled(todo, intent, doing)
}

/** Completes or reopens a to-do like the app's `setCompleted`. */
function completion(todo: Todo, doing: Doing): QueueableChange | undefined {
  const completed = todo.completed === 0
  const parent = parentIn(doing.todos, todo)
  if (doing.older || (parent ?? todo).repeat === null) return completedOnly(todo, completed, doing)
  return settled(todo, doing, completed)
}

function settled(todo: Todo, doing: Doing, completed: boolean): QueueableChange | undefined {
  const { today } = doing.on
  const parent = parentIn(doing.todos, todo)
  if ((parent ?? todo).repeat === null) return undefined
  const day = occurrenceToSet(todo, parent, { completed, today })
  if (day === undefined) return undefined
  return settle(todo, day, completed ? { state: 'done', done_on: today } : reopened, doing)
}

const reopened = { state: 'open', done_on: null } as const

/** Completes or skips an occurrence as the details of a task in the app do: a missed occurrence, or the open one. */
function settledFromDetails(
  todo: Todo,
  { action, which, value }: RepeatingIntent,
  doing: Doing,
): QueueableChange | undefined {
  const { today } = doing.on
  const due = dueOf(todo, undefined, today)
  const { open, missed = [] } = due ?? {}
  // Often one of the latest occurrences, so that devices settle the same one.
  const day = action === 'skip' && which < 2 ? open?.day : (missed.at(-1 - (value % 3)) ?? open?.day)
  if (day === undefined) return undefined
  const state = action === 'skip' ? 'skipped' : 'done'
  const done_on = state === 'skipped' && open?.day === day && open.due > today ? open.due : today
  return settle(todo, day, { state, done_on }, doing)
}

function settle(
  { id }: Pick<Todo, 'id'>,
  day: Day,
  to: { state: 'done' | 'skipped' | 'open'; done_on: Day | null },
  { builder, on }: Doing,
): QueueableChange {
  const { at, text: title } = builder
  const change = builder.build('edit', settleOccurrence, id, { id, title, day, ...to, at })
  return { ...change, deed: { on, does: 'settle', day, ...to } }
}

function completedOnly(
  { id }: Pick<Todo, 'id'>,
  isDone: boolean,
  { builder, on, todos }: Doing,
): QueueableChange {
  const { at, text: title } = builder
  const completed = isDone ? 1 : 0
  const subtasks = openSubtasks(todos, id)
  const vars = { id, completed, title, day: on.today, at, subtasks } as const
  return { ...builder.build('edit', setTodoCompleted, id, vars), deed: { on, does: 'complete', completed } }
}

/** The change that 'Undo' of the last tick in the same tab makes. */
function undone(doing: Doing): QueueableChange | undefined {
  const last = doing.made.findLast(({ deed }) => deed?.does === 'settle' || deed?.does === 'complete')
  if (!last?.deed || !doing.todos.some(({ id }) => id === last.row)) return undefined
  const { deed, row: id } = last
  if (deed.does === 'complete' && deed.completed) return completedOnly({ id }, false, doing)
  if (deed.does === 'settle' && deed.state !== 'open') return settle({ id }, deed.day, reopened, doing)
  return undefined
}

/** Moves the due day. The app allows at most the day before the next occurrence. */
function move(todo: Todo, { value }: RepeatingIntent, doing: Doing): QueueableChange | undefined {
  const { today } = doing.on
  const due = dueOf(todo, undefined, today)
  const due_day =
    value === 0 ? (due?.open?.day ?? null) : value === 1 ? null : addDays(today, (value % 5) - 1)
  const isTooLate = due?.next !== undefined && due_day !== null && due_day >= due.next
  const isSeries = todo.repeat !== null && ruleOf(todo.repeat)?.mode === 'due'
  if (!doing.older && isSeries && isTooLate) return undefined
  return edit(todo, { due_day }, doing, { does: 'move', due_day })
}

function edit(
  todo: Todo,
  changes: TodoChanges,
  { builder, on, older }: Doing,
  deed: { does: 'move'; due_day: Day | null } | { does: 'rule'; rule: RepeatRule | null },
): QueueableChange {
  const { at, text: title } = builder
  const { id } = todo
  const { occurrence } = older ? {} : movedBy(todo, changes, on.today)
  const vars = { id, changes, title, at, ...(occurrence && { occurrence }) }
  const fields = deed.does === 'rule' ? { repeat: deed.rule && JSON.stringify(deed.rule) } : {}
  const named = deed.does === 'move' && occurrence ? { day: occurrence } : {}
  return { ...builder.build('edit', editTodo, id, vars, fields), deed: { on, ...deed, ...named } }
}

/** Changes the rule as the app's dialog saves it. */
function ruled(
  todo: Todo,
  { action, which, value }: RepeatingIntent,
  doing: Doing,
): QueueableChange | undefined {
  const { today } = doing.on
  const is = todo.repeat && ruleOf(todo.repeat)
  if (action === 'take away') {
    // Take the repeat away only now and then, since a to-do that does not repeat has no occurrences to test.
    if (!is || value % 3 > 0) return completion(todo, doing)
    const changes = { repeat: null, ...(which < 2 && { due_day: todo.due_day }) }
    return edit(todo, changes, doing, { does: 'rule', rule: null })
  }
  if (action === 'end rule') {
    if (!is) return undefined
    const { until, ...endless } = is
    const last = addDays(today, value)
    const rule = until || last < is.from ? endless : { ...endless, until: last }
    return edit(todo, { repeat: inOrder(rule) }, doing, { does: 'rule', rule: inOrder(rule) })
  }
  const from = dueOf(todo, undefined, today)?.open?.day ?? todo.due_day ?? today
  const first = addDays(from, -(pick([0, 0, 3, 200], which) ?? 0))
  // Missed occurrences are shown for a year, counted back from the last settled one.
  const yearAgo = addDays(today, -300)
  const rule = pickedRule(value, first > yearAgo ? first : yearAgo)
  return edit(todo, { repeat: rule, due_day: rule.from }, doing, { does: 'rule', rule })
}

/** Sorts a rule's fields in the order in which the server sends them. */
function inOrder(rule: RepeatRule): RepeatRule {
  return filledIn(sentOf(rule), 1)
}

function sentOf({ ...rule }: RepeatRule): SentRule {
  return JSON.parse(JSON.stringify(rule))
}

const kinds: readonly Omit<SentRule, 'from'>[] = [
  { freq: 'day', every: 1, mode: 'due' },
  { freq: 'day', every: 1, mode: 'done' },
  { freq: 'week', every: 1, mode: 'due', weekdays: [1, 3, 5, 7] },
  { freq: 'day', every: 3, mode: 'due' },
  { freq: 'week', every: 2, mode: 'due' },
  { freq: 'month', every: 1, mode: 'done' },
  { freq: 'month', every: 1, mode: 'due', days: [31, 1] },
  { freq: 'day', every: 2, mode: 'done' },
  { freq: 'day', every: 2, mode: 'due', times: 6 },
  { freq: 'week', every: 1, mode: 'done' },
  { freq: 'day', every: 2, mode: 'done', times: 3 },
  { freq: 'day', every: 1, mode: 'due' },
]

function pickedRule(value: number, from: Day): RepeatRule {
  const kind = kinds[value % kinds.length] ?? { freq: 'day', every: 1, mode: 'due' }
  return filledIn({ ...kind, from }, 1)
}

export const zones = [
  'Europe/Copenhagen',
  'America/New_York',
  'Pacific/Auckland',
  'Asia/Tokyo',
  'UTC',
] as const
const dayStarts = [0, 90, 180, 240] as const

function calendarChange({ action, value }: RepeatingIntent, builder: ChangeBuilder): QueueableChange {
  const { at } = builder
  if (action === 'change day start') {
    const change = { day_start: pick(dayStarts, value) ?? 0 }
    return builder.build('edit', changePreferences, 'all', { change, at }, change)
  }
  const change = { time_zone: pick(zones, value) ?? 'UTC' }
  return builder.build('edit', changePreferences, 'all', { change, at }, { zone: fixed(change.time_zone) })
}

/** All time zones and day starts that the person ever had. */
export function calendarsOf(changes: readonly Change[]): Calendar[] {
  const isIn = (name: string, value: unknown) => changes.some(({ fields }) => fields.get(name) === value)
  const ever = ['UTC', ...zones.filter((zone) => isIn('zone', fixed(zone)))]
  const starts = dayStarts.filter((start) => isIn('day_start', start))
  return ever.flatMap((time_zone) => starts.map((day_start) => ({ time_zone, day_start })))
}

function fixed(zone: string): string {
  return `${zone}, fixed`
}

function parentIn(todos: readonly Todo[], todo: Todo): Todo | undefined {
  return parentOf(todo, new Map(todos.map((each) => [each.id, each])))
}

function pick<Thing>(things: readonly Thing[], which: number): Thing | undefined {
  return things[which % Math.max(1, things.length)]
}
