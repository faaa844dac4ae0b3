import type { HabitToShow, RowsToShow, TodoToShow } from '#features/imports/rows/rows-to-show.ts'
import type { FatedRow } from '../fates.ts'

/** An example from the file, shown as it will look in Daymark. */
export type Example =
  | {
      kind: 'todo'
      id: string
      todo: TodoToShow
      list: RowsToShow['lists'][number] | undefined
      subtasks: { done: number; of: number }
    }
  | { kind: 'habit'; id: string; habit: HabitToShow }
  | { kind: 'session'; id: string; session: RowsToShow['sessions'][number]; subject: string | undefined }

const most = 3

/**
 * Chooses up to three of the rows to be written, open tasks first. Together, the examples show as many different facts as
 * possible.
 */
export function chooseExamples(toShow: RowsToShow, rows: readonly FatedRow[]): Example[] {
  const written = new Set(
    rows.flatMap(({ fate, target }) => (fate === 'new' || fate === 'changed' ? (target ?? []) : [])),
  )
  const chosen: Example[] = []
  for (const candidates of [
    todoExamples(toShow, written, 0),
    habitExamples(toShow, written),
    sessionExamples(toShow, written),
    todoExamples(toShow, written, 1),
  ]) {
    chosen.push(...mostVaried(candidates, most - chosen.length))
  }
  return chosen
}

function todoExamples(
  { lists, todos }: RowsToShow,
  written: ReadonlySet<string>,
  completed: TodoToShow['completed'],
): Example[] {
  const listsById = new Map(lists.map((list) => [list.id, list]))
  const subtasks = Map.groupBy(
    todos.filter(({ parent_id }) => parent_id !== null),
    ({ parent_id }) => parent_id,
  )
  return todos
    .filter((todo) => todo.parent_id === null && todo.completed === completed && written.has(todo.id))
    .map((todo) => {
      const own = subtasks.get(todo.id) ?? []
      return {
        kind: 'todo',
        id: todo.id,
        todo,
        list: todo.list_id === null ? undefined : listsById.get(todo.list_id),
        subtasks: { done: own.filter(({ completed }) => completed === 1).length, of: own.length },
      }
    })
}

function habitExamples({ habits }: RowsToShow, written: ReadonlySet<string>): Example[] {
  return habits.filter(({ id }) => written.has(id)).map((habit) => ({ kind: 'habit', id: habit.id, habit }))
}

function sessionExamples({ sessions, todos, habits }: RowsToShow, written: ReadonlySet<string>): Example[] {
  const titles = new Map(todos.map(({ id, title }) => [id, title]))
  const names = new Map(habits.map(({ id, name }) => [id, name]))
  return sessions
    .filter(({ id }) => written.has(id))
    .map((session) => ({
      kind: 'session',
      id: session.id,
      session,
      subject: titles.get(session.todo_id ?? '') ?? names.get(session.habit_id ?? ''),
    }))
}

/**
 * Chooses candidates one by one, each time the candidate that shows the most facts not shown yet. Of equal candidates, the first
 * wins.
 */
function mostVaried(candidates: readonly Example[], count: number): Example[] {
  const shown = new Set<string>()
  const chosen: Example[] = []
  while (chosen.length < Math.min(count, candidates.length)) {
    let best: { candidate: Example; gain: number } | undefined
    for (const candidate of candidates) {
      if (chosen.includes(candidate)) continue
      const gain = factsOf(candidate).filter((fact) => !shown.has(fact)).length
      if (!best || gain > best.gain) best = { candidate, gain }
    }
    if (!best) break
    chosen.push(best.candidate)
    for (const fact of factsOf(best.candidate)) shown.add(fact)
  }
  return chosen
}

function factsOf(example: Example): string[] {
  const facts: Record<string, boolean> = factsByKind(example)
  return Object.keys(facts).filter((fact) => facts[fact])
}

function factsByKind(example: Example): Record<string, boolean> {
  switch (example.kind) {
    case 'todo': {
      const { todo, subtasks } = example
      return {
        due: todo.due_day !== null,
        repeat: todo.repeat !== null,
        reminder: todo.reminder !== null || todo.remind_at !== null,
        priority: todo.priority > 0,
        subtasks: subtasks.of > 0,
        note: todo.note !== '',
        tags: todo.tags.length > 0,
        [`list ${todo.list_id}`]: todo.list_id !== null,
      }
    }
    case 'habit':
      return { ...example.habit.has, open: example.habit.archived_at === null }
    case 'session':
      return { start: example.session.started_at !== null, subject: example.subject !== undefined }
  }
}
