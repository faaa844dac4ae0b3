import type { ReactNode } from 'react'
import type { NewTask } from '#features/todos/todo/web/new-task.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { QuickAddPart } from '../reading/quick-add.ts'

/**
 * A task that is being typed. Drafts are stored on devices: an incompatible shape needs a new storage name (`useNewTaskDraft`).
 */
export interface Draft {
  text: string
  /** The due day chosen with a button and not in the text; null if none was chosen. */
  due: Day | null
  list: string | null
  /** The id of the meant list if several lists have the name in the text, or null. */
  named: string | null
  /** The chosen time of the reminder on the due day, in minutes after midnight. */
  time: number | null
  /** Recognized phrases that the person wants to keep in the title instead. */
  refused: readonly string[]
}

export const emptyDraft: Draft = { text: '', due: null, list: null, named: null, time: null, refused: [] }

/** The id of the element that says why the task cannot be added. A screen has one field for new tasks. */
export const problemId = 'new-task-problem'

/** The task that a draft describes. `newList` is the name of a list to create for the task. */
export interface DraftTask {
  task: NewTask
  newList: string | undefined
}

/** The result of reading a draft. Each recognized part, such as a date, is shown as a chip. */
export interface ReadDraft extends DraftTask {
  /** The text of the draft, with the recognized parts marked. */
  marked: ReactNode
  parts: readonly QuickAddPart[]
  /** Whether the day comes from the text or from a choice, and not from the page. */
  isDaySaid: boolean
  /** Whether several lists have the name in the text, so that the person must choose one. */
  isListAmbiguous: boolean
}

/** Reads a draft with the person's calendar and lists. */
export interface DraftReader {
  read(draft: Draft): ReadDraft
  /** Whether the form looks the same for both, but for the letters in the field itself. */
  looksTheSame(shown: Draft, now: Draft): boolean
}
