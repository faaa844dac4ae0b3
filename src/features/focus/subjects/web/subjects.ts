import { createContext, type ReactNode, useContext } from 'react'
import { type FocusSubject, subjectFields } from '../focus-subject.ts'

/** A to-do or a habit, as a subject of focus is shown. */
export interface ShownSubject {
  subject: FocusSubject
  title: string
  /** What stands before the title: the circle of its list, or the square of a habit. */
  sign: ReactNode
  /** How much of it was done, or how often it is due. */
  note?: string | undefined
}

/** What focus can be about. Other features have them, so the app passes them in. */
export interface Subjects {
  /** Undefined for none, and for one that is not there. */
  of(subject: FocusSubject | undefined): ShownSubject | undefined
  /** The tasks and the habits that are offered before anything is typed. */
  today: { tasks: readonly ShownSubject[]; habits: readonly ShownSubject[] }
  search(typed: string): { tasks: readonly ShownSubject[]; habits: readonly ShownSubject[] }
  /** Adds a task of this name. Undefined if the device could not store it: the person has been told. */
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

/** A key for what is about the same; undefined for nothing. */
export function subjectKey(subject: FocusSubject | undefined): string | undefined {
  const { todo_id, habit_id } = subjectFields(subject)
  return todo_id ?? habit_id ?? undefined
}

export function subjectOf({ todo_id, habit_id }: ReturnType<typeof subjectFields>): FocusSubject | undefined {
  if (todo_id !== null) return { todo_id }
  return habit_id === null ? undefined : { habit_id }
}
