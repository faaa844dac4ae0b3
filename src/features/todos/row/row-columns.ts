import { useMemo, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import type { Todo } from '../todo/todo.ts'

/** Where a fact of a row is while the board is wide enough for one line. The due date has no track: it takes room from its title. */
export const column = {
  due: 'roomy:col-start-3 roomy:row-start-1',
  tags: 'roomy:col-start-4 roomy:row-start-1',
  repeat: 'roomy:col-start-5 roomy:row-start-1',
  priority: 'roomy:col-start-6 roomy:row-start-1',
  list: 'roomy:col-start-7 roomy:row-start-1',
  menu: 'roomy:col-start-8 roomy:row-start-1',
} as const

/** The grid of a row. Every row has the same tracks, so that the facts of all rows stack. */
export const rowGrid = cn(
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start',
  'roomy:grid-cols-[auto_minmax(0,1fr)_auto_var(--tags,0px)_var(--repeat,0px)_var(--priority,0px)_var(--list,0px)_var(--menu,0px)]',
)

/** The tracks, each with the gap before it. Text is in rem and space in px, as everywhere. */
const tracks = {
  tags: '[--tags:calc(4.75rem_+_16px)]',
  // Also the room of the list, which a list's own page does not show.
  tagsOfList: '[--tags:calc(10rem_+_28px)]',
  repeat: '[--repeat:28px]',
  priority: '[--priority:24px]',
  list: '[--list:calc(5.25rem_+_12px)]',
  menu: '[--menu:36px] pointer-coarse:[--menu:42px]',
} as const

const titleUpTo = {
  due: 'roomy:col-end-3',
  tags: 'roomy:col-end-4',
  repeat: 'roomy:col-end-5',
  priority: 'roomy:col-end-6',
  list: 'roomy:col-end-7',
  none: 'roomy:col-end-8',
} as const

/** Whether the row shows dates. Completed to-dos show none, and a page of one day does not repeat that day. */
export function hasDates({ completed, due_day, remind_at, reminder }: Todo, ofDay?: Day | null): boolean {
  if (completed === 1) return false
  return (due_day !== null && (due_day !== ofDay || reminder !== null)) || remind_at !== null
}

/** A subtask repeats with its parent, not by a rule of its own. */
export function repeats({ completed, repeat, parent_id }: Todo): boolean {
  return completed === 0 && repeat !== null && parent_id === null
}

/** Where the title ends on one line: it takes the room of empty columns up to the row's first fact. */
export function titleEnd(
  todo: Todo,
  { list, ofDay }: { list: unknown; ofDay: Day | null | undefined },
): string {
  return titleUpTo[firstFact(todo, { list, ofDay })]
}

function firstFact(
  todo: Todo,
  { list, ofDay }: { list: unknown; ofDay: Day | null | undefined },
): keyof typeof titleUpTo {
  if (hasDates(todo, ofDay)) return 'due'
  const isOpen = todo.completed === 0
  if (isOpen && todo.tags.length > 0) return 'tags'
  if (repeats(todo)) return 'repeat'
  if (isOpen && todo.priority > 0) return 'priority'
  return list === undefined ? 'none' : 'list'
}

interface RowColumnsOptions {
  /** The open rows. */
  open: readonly Todo[]
  done: readonly Todo[]
  /** Whether the board is that of one list. */
  ofList: boolean
  hasList(todo: Todo): boolean
  /** Whether all actions of a row are in one menu. */
  compact: boolean
  /** The page of the board. */
  page: string
}

/**
 * The class names that give each column of the board its room. A column that no row uses takes none. One that was used keeps its
 * room until the person goes to another page: ticking the last row that uses it must not move the facts under the pointer.
 */
export function useRowColumns({ open, done, ofList, hasList, compact, page }: RowColumnsOptions): string {
  const used = useMemo(
    () => ({
      tags: open.some(({ tags }) => tags.length > 0),
      repeat: open.some(repeats),
      priority: open.some(({ priority }) => priority > 0),
      list: !ofList && (open.some(hasList) || done.some(hasList)),
    }),
    [open, done, ofList, hasList],
  )
  const [kept, setKept] = useState({ page, ...used })
  const isSamePage = kept.page === page
  const now = {
    page,
    tags: used.tags || (isSamePage && kept.tags),
    repeat: used.repeat || (isSamePage && kept.repeat),
    priority: used.priority || (isSamePage && kept.priority),
    list: used.list || (isSamePage && kept.list),
  }
  const isSame =
    isSamePage &&
    now.tags === kept.tags &&
    now.repeat === kept.repeat &&
    now.priority === kept.priority &&
    now.list === kept.list
  if (!isSame) setKept(now)
  return cn(
    now.tags && (ofList ? tracks.tagsOfList : tracks.tags),
    now.repeat && tracks.repeat,
    now.priority && tracks.priority,
    now.list && tracks.list,
    compact && tracks.menu,
  )
}
