import type { ReactNode } from 'react'
import type { NewTask } from '#features/todos/todo/web/new-task.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { QuickAddPart } from '../reading/quick-add.ts'

/**
 * A task that is being typed. Drafts are stored on devices: an incompatible shape needs a new storage name (`useNewTaskDraft`).
 */
export interface Draft {
  text: string
  /** The chosen due day, or null. The text does not mention it. */
  due: Day | null
  list: string | null
  /** The id of the meant list if several lists have the name in the text, or null. */
  named: string | null
  /** The chosen time of the reminder on the due day, in minutes after midnight. */
  time: number | null
  /** Phrases that the person wants to keep in the title. */
  refused: readonly string[]
}

export const emptyDraft: Draft = { text: '', due: null, list: null, named: null, time: null, refused: [] }

/** The task that a draft describes. `newList` is the name of a list to create for the task. */
export interface DraftTask {
  task: NewTask
  newList: string | undefined
}

/** A draft after reading, as the chips show it. */
export interface ReadDraft extends DraftTask {
  /** The text of the draft, with the recognized parts marked. */
  marked: ReactNode
  parts: readonly QuickAddPart[]
  /** Whether the draft names or chooses a day, instead of getting the day of the page. */
  isDaySaid: boolean
  /** Whether several lists have the name in the text, so that the person must choose one. */
  isListAmbiguous: boolean
}

/** Reads a draft with the person's calendar and lists. */
export type DraftReader = (draft: Draft) => ReadDraft
