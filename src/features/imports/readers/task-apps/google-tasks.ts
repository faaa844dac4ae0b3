import { doneAt, noteOf, refused, someTodo } from '#features/imports/reading/gathered.ts'
import { jsonOf, parseJson } from '#features/imports/reading/json-of.ts'
import { inOwnOrder, placesOf } from '#features/imports/reading/own-order.ts'
import type { OpenedFile, Reader, ReaderContext, ReadTodo } from '#features/imports/reading/reading.ts'
import { dayOf } from '#platform/calendar/day.ts'
import { dayTextOf, eachOf, type Fields, fieldsOf, instantOf, textOf } from './json-fields.ts'
import { type ListBeingRead, readLists } from './listed-tasks.ts'

// Tasks.json of Google Takeout, alone or in its zip. Facts:
// - {"kind": "tasks#taskLists", "items": [{title, items: [{title, notes, status, due, completed, parent, …}]}]}
// - `due` is midnight in UTC and means that day: the file has no times. `completed` is an instant.
// - `position` is text. Among the tasks of a list, or of a parent task, the one with the lowest position comes first.
// - `hidden` tasks were done and cleared away. `deleted` tasks are still in the file.
// - How a task repeats is not in the file; newer files say only that it does.

export const googleTasks: Reader = {
  source: 'google-tasks',
  name: 'Google Tasks',
  recognises: (file) => listsOf(file) !== undefined,
  read: (file, context) =>
    readLists(
      listsOf(file) ?? [],
      ({ title }) => textOf(title),
      (read) => readTasks(read, context),
    ),
}

function listsOf(file: OpenedFile): Fields[] | undefined {
  const texts = file.kind === 'zip' ? file.files.filter(({ path }) => /\.json$/i.test(path)) : []
  const all = file.kind === 'zip' ? texts.map(({ text }) => parseJson(text)) : [jsonOf(file)]
  const found = all.map(fieldsOf).filter(({ kind }) => kind === 'tasks#taskLists')
  return found.length === 0 ? undefined : found.flatMap(({ items }) => eachOf(items))
}

function readTasks(
  { list, key, keys, reading: { todos, rows } }: ListBeingRead,
  context: ReaderContext,
): void {
  const tasks = eachOf(list.items)
  const own = tasks.map((task) => ({
    task,
    key: task.id ? keys('task', textOf(task.id)) : keys('task', key, textOf(task.title)),
  }))
  const byId = new Map(own.map(({ task, key }) => [textOf(task.id), key]))
  const found: ReadTodo[] = []
  for (const [place, { task, key: todo }] of own.entries()) {
    const parentId = textOf(task.parent)
    const parent = parentId === '' ? undefined : (byId.get(parentId) ?? 'missing')
    const row = { line: place + 1, what: parent ? 'subtask' : 'task', title: textOf(task.title) } as const
    if (task.deleted === true) {
      rows.push(refused(row, 'It was deleted'))
      continue
    }
    const isDone = textOf(task.status) === 'completed'
    const done = isDone ? doneAt(instantOf(task.completed), [instantOf(task.updated)], context) : undefined
    const changed = [...(done?.changed ?? [])]
    if (task.task_recurrence_id !== undefined) changed.push('It repeats, but the file does not say how')
    const links = eachOf(task.links).map(({ link, description }) =>
      [description, link].map(textOf).join(' ').trim(),
    )
    const due = dayTextOf(task.due)
    const time = timeOf(task, due, context)
    found.push(
      someTodo({
        key: todo,
        list: key,
        title: textOf(task.title),
        note: noteOf(textOf(task.notes), links.join('\n')),
        ...(parent && { parent }),
        ...(due && { due }),
        ...(time !== undefined && { reminder: { days_before: 0, time } }),
        ...(instantOf(task.created) && { created: instantOf(task.created) }),
        ...(done && { completed: done.completed }),
      }),
    )
    rows.push({ ...row, becomes: todo, changed })
  }
  // Compare positions as text: they have 20 digits, more than a number holds exactly.
  const placed = own.filter(({ task }) => textOf(task.position) !== '')
  const shown = placed.toSorted((one, other) =>
    textOf(one.task.position) < textOf(other.task.position) ? -1 : 1,
  )
  todos.push(...inOwnOrder(found, placesOf(shown.map(({ key: todo }) => todo))))
}

/** The time at which a task is scheduled. Newer files have it in a separate list. */
function timeOf(task: Fields, due: string | undefined, { timeZone }: ReaderContext): number | undefined {
  const scheduled = eachOf(task.scheduled_time).find(({ current }) => current === true)
  const start = instantOf(scheduled?.start)
  // Midnight in UTC means a day without a time.
  if (start === undefined || start % 86_400_000 === 0 || dayOf(start, timeZone, 0) !== due) return undefined
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone)
  return hour * 60 + minute
}
