import type { ReactNode } from 'react'
import type { NewTask } from '#features/todos/todo/web/new-task.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { QuickAddPart } from '../reading/quick-add.ts'

/** A task that is being typed. Kept on devices: one that is made otherwise needs another name there (`useNewTaskDraft`). */
export interface Draft {
  text: string
  /** What was chosen without a word for it, or null. */
  due: Day | null
  list: string | null
  /** Which list is meant where several have the name in the text, or null. */
  named: string | null
  /** When to remind of it on its day, in minutes after midnight. */
  time: number | null
  /** The phrases that stay in the title. */
  refused: readonly string[]
}

export const emptyDraft: Draft = { text: '', due: null, list: null, named: null, time: null, refused: [] }

/** The task that a draft says, and the name of a list that is made for it. */
export interface DraftTask {
  task: NewTask
  newList: string | undefined
}

/** What a draft says, as its chips show it. */
export interface ReadDraft extends DraftTask {
  /** Its text, with what says more marked. */
  marked: ReactNode
  parts: readonly QuickAddPart[]
  /** Its day is said or chosen, and not that of the page. */
  isDaySaid: boolean
  /** Several lists have the name in the text. */
  isListAmbiguous: boolean
}

/** Reads a draft, by the calendar and the lists of its person. */
export type DraftReader = (draft: Draft) => ReadDraft
