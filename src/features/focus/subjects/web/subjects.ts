import { createContext, type ReactNode, useContext } from 'react'
import { type FocusSubject, subjectFields } from '../focus-subject.ts'

/** A to-do or a habit as shown when it is a subject of focus. */
export interface ShownSubject {
  subject: FocusSubject
  title: string
  /** Shown before the title: the circle of the task's list, or the square of a habit. */
  sign: ReactNode
  /** A short text after the title: how much of the habit is done, or how often it is due. */
  note?: string | undefined
}

/** The possible subjects of focus. They belong to other features, so the app passes them in. */
export interface Subjects {
  /** How a subject is shown; undefined for no subject, and for a subject that does not exist. */
  of(subject: FocusSubject | undefined): ShownSubject | undefined
  /** The tasks and habits that are offered before the person types anything. */
  today: { tasks: readonly ShownSubject[]; habits: readonly ShownSubject[] }
  search(typed: string): { tasks: readonly ShownSubject[]; habits: readonly ShownSubject[] }
  /** Adds a task with this title. Returns undefined if the device could not store it; the person has then been told. */
  add(title: string): Promise<FocusSubject | undefined>
}

const none: Subjects = {
  of: () => undefined,
  today: { tasks: [], habits: [] },
  search: () => ({ tasks: [], habits: [] }),
  add: async () => undefined,
}

export const SubjectsContext = createContext<Subjects>(none)

export function useSubjects(): Subjects {
  return useContext(SubjectsContext)
}

/** A key that is equal for equal subjects; undefined for no subject. */
export function subjectKey(subject: FocusSubject | undefined): string | undefined {
  const { todo_id, habit_id } = subjectFields(subject)
  return todo_id ?? habit_id ?? undefined
}

export function subjectOf({ todo_id, habit_id }: ReturnType<typeof subjectFields>): FocusSubject | undefined {
  if (todo_id !== null) return { todo_id }
  return habit_id === null ? undefined : { habit_id }
}
