import type { FocusSubject } from '#features/focus/subjects/focus-subject.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'

/** The name of the to-do or habit that the focus is about; nothing if it is gone. */
export function SubjectName({ subject }: { subject: FocusSubject }) {
  return 'todo_id' in subject ? <TodoTitle id={subject.todo_id} /> : <HabitName id={subject.habit_id} />
}

function TodoTitle({ id }: { id: string }) {
  const { rows } = useCollection(todoCollection)
  return <bdi>{rows?.find((todo) => todo.id === id)?.title}</bdi>
}

function HabitName({ id }: { id: string }) {
  const { rows } = useCollection(habitCollection)
  return <bdi>{rows?.find((habit) => habit.id === id)?.name}</bdi>
}
