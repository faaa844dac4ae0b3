import {
  becomesNote,
  doneAt,
  noteOf,
  nothingYet,
  refused,
  someList,
  someTodo,
} from '#features/imports/reading/gathered.ts'
import { jsonOf, parseJson } from '#features/imports/reading/json-of.ts'
import { inOwnOrder, placesOf } from '#features/imports/reading/own-order.ts'
import {
  keysOfPaths,
  type OpenedFile,
  type Reader,
  type ReaderContext,
  type ReadTodo,
} from '#features/imports/reading/reading.ts'
import { filledIn, type RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { reminderAt } from '#features/todos/todo/todo-reminder.ts'
import type { Day } from '#platform/calendar/day.ts'
import { wallTimeOf } from '#platform/calendar/wall-time.ts'
import { eachOf, type Fields, fieldsOf, instantOf, isListOfFields, numberOf, textOf } from './json-fields.ts'
import { plainText } from './plain-text.ts'

// The export of an account: a zip with VERSION, data.json (projects with their tasks), filters.json, and files/; or data.json
// alone. Facts:
// - 0001-01-01T00:00:00Z means no date. A due date has a time, even if the person chose none.
// - `repeat_after` is in seconds. `repeat_mode` 0 repeats from the due date, 1 every month, 2 from when the task was done.
// - `priority` is 0 (unset) to 5 (do now). `related_tasks.subtask` and `.parenttask` hold whole tasks.
// - Projects have a `position`. Tasks have a position for each view, in `positions` of the project, or in older versions a single
//   one.
// - Descriptions and comments are HTML in newer versions.
// - Percent done, assignees and buckets cannot be imported. Attachments are in files/ by their number.

export const vikunja: Reader = {
  source: 'vikunja',
  name: 'Vikunja',
  recognises: (file) => projectsOf(file) !== undefined,
  read(file, context) {
    const reading = nothingYet()
    const keys = keysOfPaths()
    const projects = projectsOf(file) ?? []
    const names = new Map(projects.map((project) => [textOf(project.id), project]))
    const tasks = projects.flatMap((project) => eachOf(project.tasks))
    const keyOf = new Map(tasks.map((task) => [textOf(task.id), keys('task', textOf(task.id))]))
    const parents = parentsOf(tasks)
    const listKeys = new Map<string, string>()
    for (const [place, project] of projects.entries()) {
      const list = keys('project', textOf(project.id))
      listKeys.set(textOf(project.id), list)
      const name = pathOf(project, names)
      const description = plainText(textOf(project.description))
      reading.lists.push(someList({ key: list, name, archived: project.is_archived === true }))
      const changed = [
        ...(name === textOf(project.title) ? [] : [`It is in another project, and is called "${name}"`]),
        ...(description === '' ? [] : ['Its description does not come, since lists have none']),
        ...(eachOf(project.buckets).length > 0 ? ['Its buckets do not come'] : []),
      ]
      reading.rows.push({ line: place + 1, what: 'list', title: name, becomes: list, changed })
      for (const [nth, task] of eachOf(project.tasks).entries()) {
        const id = textOf(task.id)
        const key = keyOf.get(id) ?? keys('task', id)
        const parent = keyOf.get(parents.get(id) ?? '')
        const { todo, changed } = readTask(task, key, context)
        reading.todos.push({ ...todo, list, ...(parent === undefined ? {} : { parent }) })
        const what = parent === undefined ? 'task' : 'subtask'
        reading.rows.push({ line: nth + 1, what, title: todo.title, becomes: key, changed })
      }
    }
    reading.lists = inOwnOrder(
      reading.lists,
      placesOf(shownProjects(projects).map((id) => listKeys.get(id) ?? '')),
    )
    reading.todos = inOwnOrder(reading.todos, shownPlaces(projects, keyOf))
    for (const [place, filter] of filtersOf(file).entries()) {
      const row = { line: place + 1, what: 'other', title: textOf(filter.title) } as const
      reading.rows.push(refused(row, 'Daymark has no saved filters of Vikunja'))
    }
    if (tasks.some((task) => instantOf(task.due_date) !== undefined)) {
      reading.notes.push('Due dates come as days. Their times come where there is a reminder.')
    }
    return reading
  },
}

function projectsOf(file: OpenedFile): readonly Fields[] | undefined {
  const json = jsonIn(file, 'data.json')
  // Older versions called projects lists, and grouped these lists in namespaces.
  const all = isListOfFields(json)
    ? json.flatMap((each) => ('lists' in each ? eachOf(each.lists) : [each]))
    : []
  return all.some((each) => isProject(each) && (file.kind === 'zip' || 'is_archived' in each))
    ? all
    : undefined
}

function isProject({ title, tasks }: Fields): boolean {
  return typeof title === 'string' && (tasks === null || Array.isArray(tasks))
}

function filtersOf(file: OpenedFile): Fields[] {
  return eachOf(jsonIn(file, 'filters.json'))
}

/** The JSON of a file in the zip. If somebody has unpacked the zip, data.json comes alone. */
function jsonIn(file: OpenedFile, name: 'data.json' | 'filters.json'): unknown {
  if (file.kind !== 'zip') return name === 'data.json' ? jsonOf(file) : undefined
  const entry = file.files.find(({ path }) => path === name || path.endsWith(`/${name}`))
  return entry && parseJson(entry.text)
}

/** The names of a project and those above it: 'Work / Client'. */
function pathOf(project: Fields, byId: ReadonlyMap<string, Fields>): string {
  const names = [textOf(project.title)]
  const seen = new Set([project])
  for (let next = parent(project); next && !seen.has(next); next = parent(next)) {
    seen.add(next)
    names.unshift(textOf(next.title))
  }
  return names.join(' / ')

  function parent({ parent_project_id }: Fields): Fields | undefined {
    return byId.get(textOf(parent_project_id))
  }
}

/** The ids of projects in the order of the sidebar: sorted by position, each parent before its children. */
function shownProjects(projects: readonly Fields[]): string[] {
  const ids = new Set(projects.map(({ id }) => textOf(id)))
  const within = Map.groupBy(projects, ({ parent_project_id }) => {
    const parent = textOf(parent_project_id)
    return ids.has(parent) ? parent : ''
  })
  const positionOf = ({ position }: Fields) => numberOf(position) ?? 0
  const inside = (parent: string) =>
    (within.get(parent) ?? [])
      .toSorted((one, other) => positionOf(one) - positionOf(other))
      .map(({ id }) => textOf(id))
      .reverse()
  // `next` is a stack, so the last id comes first. Projects that contain each other are never reached from the top, and are left
  // out.
  const next = inside('')
  const shown = new Set<string>()
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (shown.has(id)) continue
    shown.add(id)
    next.push(...inside(id))
  }
  return [...shown]
}

/** The positions of tasks in the list view of their project. Older versions have one position for all views. */
function shownPlaces(projects: readonly Fields[], keyOf: ReadonlyMap<string, string>): Map<string, number> {
  const places = new Map<string, number>()
  const put = (id: unknown, position: unknown) => {
    const [key, place] = [keyOf.get(textOf(id)), numberOf(position)]
    // Position 0 means that the task has no place yet.
    if (key !== undefined && place !== undefined && place !== 0) places.set(key, place)
  }
  for (const project of projects) {
    for (const { id, position } of eachOf(project.tasks)) put(id, position)
    const view = eachOf(project.views).find(({ view_kind }) => view_kind === 'list' || view_kind === 0)
    const own = eachOf(project.positions).filter(
      ({ project_view_id }) => view && textOf(project_view_id) === textOf(view.id),
    )
    for (const { task_id, position } of own) put(task_id, position)
  }
  return places
}

/** The id of each child's parent, by the child's id. Either of the two tasks may name the other. */
function parentsOf(tasks: readonly Fields[]): Map<string, string> {
  const parents = new Map<string, string>()
  for (const task of tasks) {
    const related = fieldsOf(task.related_tasks)
    for (const child of eachOf(related.subtask)) parents.set(textOf(child.id), textOf(task.id))
    for (const parent of eachOf(related.parenttask)) parents.set(textOf(task.id), textOf(parent.id))
  }
  return parents
}

function readTask(task: Fields, key: string, context: ReaderContext): { todo: ReadTodo; changed: string[] } {
  const changed: string[] = []
  const added: string[] = []
  const created = instantOf(task.created)
  const dueAt = instantOf(task.due_date)
  const due = dueAt === undefined ? undefined : wallTimeOf(dueAt, context.timeZone)
  for (const [name, label] of [
    ['start_date', 'Starts on'],
    ['end_date', 'Ends on'],
  ] as const) {
    const date = instantOf(task[name])
    const day = date === undefined ? undefined : wallTimeOf(date, context.timeZone).day
    if (day === undefined || day === due?.day) continue
    changed.push(`The ${name.replace('_', ' ')} becomes a note`)
    added.push(`${label} ${day}`)
  }
  const done =
    task.done === true
      ? doneAt(instantOf(task.done_at), [instantOf(task.updated), created], context)
      : undefined
  changed.push(...(done?.changed ?? []))

  const { repeat, words } = repeatOf(task, due?.day, context)
  if (words !== undefined) {
    changed.push(becomesNote(words))
    added.push(`Repeat: ${words}`)
  }
  const dueDay = repeat?.from ?? due?.day
  const reminders = [
    ...eachOf(task.reminders).map(({ reminder }) => reminder),
    ...datesOf(task.reminder_dates),
  ]
    .map(instantOf)
    .filter((date) => date !== undefined)
  const [first] = reminders
  const reminder =
    first === undefined || dueDay === undefined
      ? undefined
      : reminderAt(wallTimeOf(first, context.timeZone), dueDay)
  if (first !== undefined && !reminder)
    changed.push('The reminder, which has no due date after it, does not come')
  else if (reminders.length > 1) changed.push('Of several reminders the first comes')

  const urgency = numberOf(task.priority) ?? 0
  if (urgency > 3) changed.push(`The priority "${urgency === 4 ? 'urgent' : 'do now'}" becomes high`)
  const percent = Math.round((numberOf(task.percent_done) ?? 0) * 100)
  if (percent > 0 && !done) {
    changed.push('How much of it is done becomes a note')
    added.push(`${percent} % done`)
  }
  const assignees = eachOf(task.assignees).map(({ name, username }) => textOf(name) || textOf(username))
  if (assignees.length > 0) {
    changed.push('Who it is assigned to becomes a note')
    added.push(`Assigned to ${assignees.join(', ')}`)
  }
  const comments = eachOf(task.comments).map(({ comment }) => plainText(textOf(comment)))
  if (comments.length > 0) changed.push('Its comments become part of the note')
  const files = eachOf(task.attachments).map(({ file }) => textOf(fieldsOf(file).name) || 'a file')
  if (files.length > 0) changed.push(`Its files stay in the zip file: ${files.join(', ')}`)
  return {
    todo: someTodo({
      key,
      title: textOf(task.title),
      priority: urgency >= 3 ? 3 : urgency === 2 ? 2 : urgency === 1 ? 1 : 0,
      note: noteOf(plainText(textOf(task.description)), added.join('\n'), ...comments),
      tags: eachOf(task.labels)
        .map(({ title }) => textOf(title))
        .filter((title) => title !== ''),
      ...(dueDay && { due: dueDay }),
      ...(reminder && { reminder }),
      ...(repeat && { repeat }),
      ...(created !== undefined && { created }),
      ...(done && { completed: done.completed }),
    }),
    changed,
  }
}

function datesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const day = 86_400

function repeatOf(
  task: Fields,
  due: Day | undefined,
  { today, weekStart }: ReaderContext,
): { repeat?: RepeatRule; words?: string } {
  const seconds = numberOf(task.repeat_after) ?? 0
  const mode = numberOf(task.repeat_mode) ?? 0
  const from = due ?? today
  if (mode === 1) return { repeat: filledIn({ freq: 'month', every: 1, mode: 'due', from }, weekStart) }
  if (seconds <= 0) return {}
  const every = seconds / day
  if (!Number.isInteger(every) || every > 999) return { words: `every ${seconds / 60} minutes` }
  return { repeat: filledIn({ freq: 'day', every, mode: mode === 2 ? 'done' : 'due', from }, weekStart) }
}
