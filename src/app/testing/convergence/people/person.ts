import fc from 'fast-check'
import type { FocusSession } from '#features/focus/sessions/focus-session.ts'
import {
  deleteFocusSession,
  recordFocusSession,
  restoreFocusSession,
} from '#features/focus/sessions/web/focus-queries.ts'
import type { List } from '#features/lists/list/list.ts'
import { listColors, todoSorts } from '#features/lists/list/list-row.ts'
import { addList } from '#features/lists/list/web/list-queries.ts'
import { deleteList, editList, restoreList } from '#features/lists/list/web/list-writes.ts'
import type { Preferences, PreferencesChange } from '#features/preferences/preferences.ts'
import { changePreferences } from '#features/preferences/web/preferences-queries.ts'
import { removeTag, renameTag } from '#features/todos/tags/web/tag-writes.ts'
import { subtasksOf } from '#features/todos/todo/subtasks.ts'
import {
  addTodo,
  deleteTodo,
  editTodo,
  openSubtasks,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  type TodoChanges,
} from '#features/todos/todo/web/todo-queries.ts'
import { addDays, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { firstPositions, lastPosition, moveAfter, moveBefore } from '#platform/order/move.ts'
import { newestFirst, type Placed } from '#platform/order/position.ts'
import { unmoved } from '../rules/row-fields.ts'
import { renamedTo, tagField } from '../rules/tag-rule.ts'
import { habitChange, moveHabit, ofAmounts, ofHabits, ofPauses, ofRhythms } from './habit-person.ts'
import { ChangeBuilder, type ChangeOrigin, type QueueableChange } from './one-change.ts'
import { pick } from './pick.ts'
import type { Deleted, View } from './view.ts'

const tags = ['home', 'job', 'work'] as const

function tagOf(which: number): string {
  return tags[which % tags.length] ?? tags[0]
}

/** What a person intends to do. The row and the details depend on what they see. */
export interface Intent {
  action: (typeof everything)[number]
  which: number
  value: number
}

const ofLists = [
  'archive list',
  'rename list',
  'colour list',
  'archive list',
  'sort list',
  'move list',
  'delete list',
  'restore list',
  'add list',
] as const
const ofOrder = [
  'add todo',
  'move todo',
  'move todo',
  'move todo',
  'put in list',
  'delete todo',
  'restore todo',
  'add list',
  'move list',
  'move list',
  'delete list',
  'restore list',
] as const
const ofTodos = [
  'rename todo',
  'complete todo',
  'set due day',
  'put in list',
  'move todo',
  'delete todo',
  'restore todo',
  'rename todo',
  'complete todo',
  'add todo',
] as const
const ofFamilies = [
  'add todo',
  'give parent',
  'give parent',
  'give parent',
  'complete todo',
  'complete todo',
  'delete todo',
  'delete todo',
  'restore todo',
  'rename todo',
] as const
const ofTags = [
  'add todo',
  'tag todo',
  'tag todo',
  'tag todo',
  'rename tag',
  'rename tag',
  'remove tag',
  'rename todo',
  'delete todo',
  'restore todo',
] as const
const ofDetails = [
  'write note',
  'rename todo',
  'set priority',
  'write note',
  'rename todo',
  'set due day',
  'delete todo',
  'restore todo',
] as const
const ofOneHabit = ['move habit', ...ofHabits, ...ofRhythms, ...ofAmounts, ...ofPauses] as const
const ofSessions = ['delete session', 'restore session', 'record session'] as const
const ofPreferences = ['change theme', 'change week start', 'change day start', 'change zone'] as const
const everything = [
  ...ofLists,
  ...ofTodos,
  ...ofFamilies,
  ...ofTags,
  ...ofDetails,
  ...ofOneHabit,
  ...ofSessions,
  ...ofPreferences,
] as const

/** The intents of a schedule. Each is drawn mostly from one kind of row, so that several devices change the same few rows. */
export const intents = [
  ofTodos,
  ofTodos,
  ofLists,
  ofLists,
  ofOrder,
  ofOrder,
  ofFamilies,
  ofFamilies,
  ofTags,
  ofTags,
  ofDetails,
  ofHabits,
  ofOneHabit,
  ofSessions,
  ofPreferences,
  everything,
].map(intentTo)

/** The intents of a schedule in which each row depends only on its own changes. */
export const intentsOfRows = [ofTodos, ofDetails, ofLists, ofHabits, ofPreferences].map(intentTo)

/** The intents of a schedule about habits only. */
export const habitIntents = [ofHabits, ofRhythms, ofRhythms, ofAmounts, ofAmounts, ofPauses, ofOneHabit].map(
  intentTo,
)

function intentTo(actions: readonly Intent['action'][]): fc.Arbitrary<Intent> {
  return fc.record({ action: fc.constantFrom(...actions), which: fc.nat(3), value: fc.nat(9) })
}

/**
 * The changes that result from an intent, for a person who sees `view` while their clock says `deviceTime`. Only a move may
 * result in several changes, when it separates rows that have the same position.
 */
export function changesOf(
  intent: Intent,
  origin: ChangeOrigin,
  deviceTime: Instant,
  sees: { view: View; deleted: Deleted },
): QueueableChange[] {
  const { view, deleted } = sees
  // A person with a single list adds another one instead.
  if (intent.action === 'move list') {
    if (view.lists?.length === 1)
      return changesOf({ ...intent, action: 'add list' }, origin, deviceTime, sees)
    return moves(intent, origin, deviceTime, view.lists, moveList)
  }
  if (intent.action === 'move todo') {
    if (view.todos?.length === 1)
      return changesOf({ ...intent, action: 'add todo' }, origin, deviceTime, sees)
    return moves(intent, origin, deviceTime, view.todos, moveTodo)
  }
  if (intent.action === 'move habit') {
    if (view.habits?.length === 1)
      return changesOf({ ...intent, action: 'add habit' }, origin, deviceTime, sees)
    return moves(intent, origin, deviceTime, view.habits, moveHabit)
  }
  const builder = new ChangeBuilder(origin, deviceTime)
  const change =
    listChange(intent, builder, view.lists, deleted.lists) ??
    todoChange(intent, builder, view, deleted) ??
    habitChange(intent, builder, view, deleted) ??
    sessionChange(intent, builder, view.sessions, deleted.sessions) ??
    preferencesChange(intent, builder, view.preferences)
  return change ? [change] : []
}

/** Moves a row right after another row, or first, or last if it is already first. */
function moves(
  { which, value }: Intent,
  origin: ChangeOrigin,
  deviceTime: Instant,
  rows: readonly Placed[] | undefined,
  change: (builder: ChangeBuilder, placed: Placed) => QueueableChange,
): QueueableChange[] {
  const row = pick(rows, which)
  if (!rows || !row) return []
  const above = value === 0 ? undefined : pick(rows, value)
  const placed = [above?.id, undefined].map((id) => moveAfter(rows, row.id, id)).find(isMove)
  return (placed ?? moveBefore(rows, row.id, undefined)).map((placed, place) =>
    change(new ChangeBuilder({ ...origin, number: origin.number + place }, deviceTime), placed),
  )
}

function isMove(placed: readonly Placed[]): boolean {
  return placed.length > 0
}

function moveTodo(builder: ChangeBuilder, { id, position }: Placed): QueueableChange {
  const { at, text: title } = builder
  return builder.build('edit', editTodo, id, { id, changes: { position }, title, at }, { position })
}

function moveList(builder: ChangeBuilder, { id, position }: Placed): QueueableChange {
  const { at, text: name } = builder
  return builder.build('edit', editList, id, { id, changes: { position }, name, at }, { position })
}

function listChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  lists: List[] | undefined,
  deleted: List[],
): QueueableChange | undefined {
  const { at, text: name } = builder
  if (action === 'add list') {
    const id = builder.newId()
    const fields = { name, color: pick(listColors, value), position: lastPosition(lists ?? []) }
    const initial = { sort: 'manual', archived_at: null }
    return builder.build('add', addList, id, { id, ...fields, at }, { ...fields, ...initial })
  }
  if (action === 'restore list') {
    const list = pick(deleted, which)
    return list && builder.build('restore', restoreList, list.id, { list, at })
  }
  const list = pick(lists, which)
  if (!list) return undefined
  const { id } = list
  const change = (changes: Partial<Pick<List, 'name' | 'color' | 'sort' | 'archived_at'>>) =>
    builder.build('edit', editList, id, { id, changes, name, at }, changes)
  if (action === 'rename list') return change({ name })
  if (action === 'colour list') return change({ color: pick(listColors, value) })
  if (action === 'sort list') return change({ sort: pick(todoSorts, value) })
  if (action === 'archive list') return change({ archived_at: list.archived_at === null ? at : null })
  if (action !== 'delete list') return undefined
  deleted.push(list)
  return builder.build('delete', deleteList, id, { id, name, at })
}

function todoChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  { todos, lists = [] }: View,
  deleted: Deleted,
): QueueableChange | undefined {
  const { at, text, today } = builder
  // May pick a deleted list, too, since another tab may not know yet that it is deleted.
  const list_id = value < 3 ? null : (pick([...lists, ...deleted.lists], value)?.id ?? null)
  if (action === 'add todo') {
    const id = builder.newId()
    const ofCreation = newestFirst({ id, created: builder.instant })
    const [position = ofCreation] = firstPositions(todos ?? [], [ofCreation])
    const parent_id = value % 3 === 0 ? null : (pick(todos, which)?.id ?? null)
    const tags = value % 4 === 0 ? [tagOf(which)] : []
    const vars = {
      id,
      title: text,
      at,
      parent_id,
      tags,
      ...(list_id !== null && { list_id }),
      ...(position !== ofCreation && { position }),
    }
    const fields = {
      title: text,
      completed: 0,
      due_day: null,
      list_id,
      position: vars.position ?? unmoved,
      parent_id,
      note: '',
      priority: 0,
      repeat: null,
      ...Object.fromEntries(tags.map((tag) => [tagField(tag), true])),
    }
    return builder.build('add', addTodo, id, vars, fields)
  }
  if (action === 'restore todo') {
    const gone = pick(deleted.todos, which)
    return gone && builder.build('restore', restoreTodo, gone.todo.id, { ...gone, at })
  }
  const tag = tagOf(value)
  // Renaming a tag changes no single row, but the tags of all rows.
  if (action === 'rename tag') {
    const to = tagOf(which + value + 1)
    return builder.build('edit', renameTag, tagField(tag), { tag, to, at }, { [renamedTo]: to })
  }
  if (action === 'remove tag') {
    return builder.build('edit', removeTag, tagField(tag), { tag, at }, { [renamedTo]: null })
  }
  const todo = pick(todos, which)
  if (!todo) return undefined
  const { id } = todo
  const edit = (changes: TodoChanges, fields: Record<string, unknown> = changes) =>
    builder.build('edit', editTodo, id, { id, changes, title: text, at }, fields)
  // May pick the to-do itself or one of its own subtasks as its parent.
  if (action === 'give parent')
    return edit({ parent_id: value < 2 ? null : (pick(todos, value)?.id ?? null) })
  if (action === 'write note') return edit({ note: text })
  if (action === 'set priority') return edit({ priority: pick([0, 1, 2, 3] as const, value) ?? 0 })
  if (action === 'tag todo') {
    const isOn = todo.tags.includes(tag)
    return edit({ tags: isOn ? { remove: [tag] } : { add: [tag] } }, { [tagField(tag)]: !isOn })
  }
  if (action === 'rename todo')
    return builder.build('edit', renameTodo, id, { id, title: text, at }, { title: text })
  if (action === 'complete todo') {
    const completed = todo.completed ? 0 : 1
    return builder.build(
      'edit',
      setTodoCompleted,
      id,
      { id, completed, title: text, day: today, at, subtasks: openSubtasks(todos ?? [], id) },
      { completed },
    )
  }
  if (action === 'set due day') {
    const due_day = value === 0 ? null : addDays(today, builder.number)
    return builder.build('edit', editTodo, id, { id, changes: { due_day }, title: text, at }, { due_day })
  }
  if (action === 'put in list') {
    // With a position, as when the to-do is dragged there; without one, as when the list is picked in a menu.
    const [placed] = todos && value % 2 === 0 ? moveAfter(todos, id, undefined) : []
    const changes = { list_id, ...(placed?.id === id && { position: placed.position }) }
    return builder.build('edit', editTodo, id, { id, changes, title: text, at }, changes)
  }
  if (action !== 'delete todo') return undefined
  deleted.todos.push({ todo, subtasks: subtasksOf(todos ?? []).byParent.get(id) ?? [] })
  return builder.build('delete', deleteTodo, id, { id, title: text, at })
}

function sessionChange(
  { action, which, value }: Intent,
  builder: ChangeBuilder,
  sessions: FocusSession[] | undefined,
  deleted: FocusSession[],
): QueueableChange | undefined {
  const { at, text: label, today } = builder
  if (action === 'record session') {
    const id = builder.newId()
    const duration = 60 * (value + 1)
    const started_at = instantToWire(builder.instant - duration * 1000)
    const about = { kind: 'hand' as const, todo_id: null, habit_id: null }
    const session = {
      id,
      ...about,
      duration,
      started_at,
      ended_at: at,
      days: [{ day: today, seconds: duration }],
    }
    return builder.build('add', recordFocusSession, id, { session, label, at }, { duration })
  }
  if (action === 'restore session') {
    const session = pick(deleted, which)
    return session && builder.build('restore', restoreFocusSession, session.id, { session, label, at })
  }
  const session = pick(sessions, which)
  if (!session || action !== 'delete session') return undefined
  deleted.push(session)
  return builder.build('delete', deleteFocusSession, session.id, { id: session.id, label, at })
}

const zones = ['Europe/Copenhagen', 'America/New_York', 'Asia/Tokyo', 'UTC'] as const
const themes = ['system', 'light', 'dark'] as const
const weekStarts = [1, 6, 7] as const

function preferencesChange(
  { action, value }: Intent,
  builder: ChangeBuilder,
  preferences: Preferences[] | undefined,
): QueueableChange | undefined {
  if (!preferences) return undefined
  const change = (change: PreferencesChange, fields: Record<string, unknown> = { ...change }) =>
    builder.build('edit', changePreferences, 'all', { change, at: builder.at }, fields)
  if (action === 'change theme') return change({ theme: pick(themes, value) })
  if (action === 'change week start') return change({ week_start: pick(weekStarts, value) })
  if (action === 'change day start') return change({ day_start: 30 * value })
  if (action !== 'change zone') return undefined
  const time_zone = pick(zones, value)
  if (value < 5) return change({ time_zone }, { zone: `${time_zone}, fixed` })
  return change({ time_zone, time_zone_follows_browser: true }, { zone: `${time_zone}, followed` })
}
