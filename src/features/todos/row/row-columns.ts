import { useMemo, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { Todo } from '../todo/todo.ts'

// Where the board is wide enough, the columns of a row are: checkbox, title, due date, tags, repeat rule, priority, list, and the
// one button of touch screens. Their tracks are the same in every row, so that facts stack; only the due date has none, and takes
// what it needs from its own title. A track includes the gap before it. Text is in rem and space in px, as everywhere.

export const rowGrid =
  'grid grid-cols-[auto_minmax(0,1fr)_var(--menu,0)] items-start roomy:grid-cols-[auto_minmax(0,1fr)_auto_var(--tags,0)_var(--repeat,0)_var(--priority,0)_var(--list,0)_var(--menu,0)]'

const tagsTrack = '[--tags:calc(4.75rem_+_16px)]'
/** Also the room of the list, which a list's own page does not show. */
const wideTags = '[--tags:calc(10rem_+_28px)]'

/** Whether the row shows dates. Completed to-dos show none, and a page of one day does not repeat that day. */
export function hasDates({ completed, due_day, remind_at, reminder }: Todo, ofDay?: Day | null): boolean {
  if (completed === 1) return false
  return (due_day !== null && (due_day !== ofDay || reminder !== null)) || remind_at !== null
}

/** A subtask repeats with its parent, not by a rule of its own. */
export function repeats({ completed, repeat, parent_id }: Todo): boolean {
  return completed === 0 && repeat !== null && parent_id === null
}

/** Where the title ends: at the row's first fact, since it takes the room of empty columns. Undefined if there is no fact. */
export function titleEnd(todo: Todo, { list, ofDay }: { list: unknown; ofDay: Day | null | undefined }) {
  const isOpen = todo.completed === 0
  if (hasDates(todo, ofDay)) return 'roomy:col-end-3'
  if (isOpen && todo.tags.length > 0) return 'roomy:col-end-4'
  if (repeats(todo)) return 'roomy:col-end-5'
  if (isOpen && todo.priority > 0) return 'roomy:col-end-6'
  return list === undefined ? undefined : 'roomy:col-end-7'
}

interface RowColumnsOptions {
  open: readonly Todo[]
  done: readonly Todo[]
  /** Whether the board is that of one list. */
  ofList: boolean
  hasList(todo: Todo): boolean
  page: string
}

/**
 * The class names that give each column of the board its room. A column that no row uses takes none. One that was used keeps its
 * room until the person goes to another page: ticking the last row that uses it must not move the facts under the pointer.
 */
export function useRowColumns({ open, done, ofList, hasList, page }: RowColumnsOptions): string {
  const used = useMemo(() => {
    const tracks: string[] = []
    if (open.some(({ tags }) => tags.length > 0)) tracks.push(ofList ? wideTags : tagsTrack)
    if (open.some(repeats)) tracks.push('[--repeat:28px]')
    if (open.some(({ priority }) => priority > 0)) tracks.push('[--priority:24px]')
    if (!ofList && (open.some(hasList) || done.some(hasList))) tracks.push('[--list:calc(5.25rem_+_12px)]')
    return tracks
  }, [open, done, ofList, hasList])
  const [kept, setKept] = useState({ page, tracks: used })
  if (kept.page !== page) setKept({ page, tracks: used })
  else if (used.some((track) => !kept.tracks.includes(track)))
    setKept({ page, tracks: [...new Set([...kept.tracks, ...used])] })
  return kept.tracks.join(' ')
}
