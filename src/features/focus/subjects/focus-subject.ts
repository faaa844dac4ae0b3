import * as z from 'zod/mini'

/** What a phase is about: a to-do or a habit. */
export type FocusSubject = { todo_id: string } | { habit_id: string }

export function focusSubjectOf<Id extends z.ZodMiniType<string>>(id: Id) {
  return z.union([z.strictObject({ todo_id: id }), z.strictObject({ habit_id: id })])
}

/** The subject as the two fields of a session. */
export function subjectFields(subject: FocusSubject | undefined): {
  todo_id: string | null
  habit_id: string | null
} {
  return {
    todo_id: subject && 'todo_id' in subject ? subject.todo_id : null,
    habit_id: subject && 'habit_id' in subject ? subject.habit_id : null,
  }
}

/** A change that names a to-do clears the habit, and the other way around. */
export function subjectChange({
  todo_id,
  habit_id,
}: {
  todo_id?: string | null | undefined
  habit_id?: string | null | undefined
}): { todo_id?: string | null; habit_id?: string | null } {
  if (typeof todo_id === 'string') return { todo_id, habit_id: null }
  if (typeof habit_id === 'string') return { todo_id: null, habit_id }
  return { ...(todo_id === null && { todo_id }), ...(habit_id === null && { habit_id }) }
}

export function hasOneSubject({
  todo_id,
  habit_id,
}: {
  todo_id?: string | null | undefined
  habit_id?: string | null | undefined
}): boolean {
  return (todo_id ?? null) === null || (habit_id ?? null) === null
}

export const twoSubjects = {
  path: ['habit_id'],
  message: 'A session is about a task or a habit, not about both',
}
