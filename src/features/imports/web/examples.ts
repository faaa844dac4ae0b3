import type { FatedRow } from '../fates.ts'
import type { ReadHabit, Reading, ReadList, ReadSession, ReadTodo } from '../reading.ts'

/** Something of the file that can be shown as it will look. */
export type Example =
  | {
      kind: 'todo'
      key: string
      todo: ReadTodo
      list: ReadList | undefined
      subtasks: { done: number; of: number }
    }
  | { kind: 'habit'; key: string; habit: ReadHabit }
  | { kind: 'session'; key: string; session: ReadSession; subject: string | undefined }

const most = 3

/** Up to three of what is to be written, open tasks first, which show as many different facts as they can. */
export function chooseExamples(reading: Reading, rows: readonly FatedRow[]): Example[] {
  const written = new Set(
    rows.flatMap(({ row, fate }) => (fate === 'new' || fate === 'changed' ? (row.becomes ?? []) : [])),
  )
  const chosen: Example[] = []
  for (const candidates of [
    todoExamples(reading, written, false),
    habitExamples(reading, written),
    sessionExamples(reading, written),
    todoExamples(reading, written, true),
  ]) {
    chosen.push(...mostVaried(candidates, most - chosen.length))
  }
  return chosen
}

function todoExamples(reading: Reading, written: ReadonlySet<string>, done: boolean): Example[] {
  const lists = new Map(reading.lists.map((list) => [list.key, list]))
  const subtasks = Map.groupBy(
    reading.todos.filter(({ parent }) => parent !== undefined),
    ({ parent }) => parent,
  )
  return reading.todos
    .filter(
      (todo) => todo.parent === undefined && (todo.completed !== undefined) === done && written.has(todo.key),
    )
    .map((todo) => {
      const own = subtasks.get(todo.key) ?? []
      return {
        kind: 'todo',
        key: todo.key,
        todo,
        list: todo.list === undefined ? undefined : lists.get(todo.list),
        subtasks: { done: own.filter(({ completed }) => completed).length, of: own.length },
      }
    })
}

function habitExamples({ habits }: Reading, written: ReadonlySet<string>): Example[] {
  return habits
    .filter(({ key }) => written.has(key))
    .map((habit) => ({ kind: 'habit', key: habit.key, habit }))
}

function sessionExamples({ sessions, todos, habits }: Reading, written: ReadonlySet<string>): Example[] {
  const titles = new Map(todos.map(({ key, title }) => [key, title]))
  const names = new Map(habits.map(({ key, name }) => [key, name]))
  return sessions
    .filter(({ key }) => written.has(key))
    .map((session) => ({
      kind: 'session',
      key: session.key,
      session,
      subject: titles.get(session.todo ?? '') ?? names.get(session.habit ?? ''),
    }))
}

/** Takes one after another, each time the first that shows the most that the others do not show yet. */
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
        due: todo.due !== undefined,
        repeat: todo.repeat !== undefined,
        reminder: todo.reminder !== undefined,
        priority: todo.priority > 0,
        subtasks: subtasks.of > 0,
        note: todo.note !== '',
        tags: todo.tags.length > 0,
        [`list ${todo.list}`]: todo.list !== undefined,
      }
    }
    case 'habit': {
      const { habit } = example
      return {
        days: habit.completions.length > 0,
        skips: habit.skips.length > 0,
        amounts: habit.amounts.length > 0,
        notes: habit.notes.length > 0,
        rhythms: habit.rhythms.length > 1,
        open: !habit.archived,
      }
    }
    case 'session':
      return { start: example.session.start !== undefined, subject: example.subject !== undefined }
  }
}
