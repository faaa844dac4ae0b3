import type { FocusOfSubject } from '#features/focus/subjects/focus-by-subject.ts'
import type { List } from '#features/lists/list/list.ts'

/** What a share of the focus time was spent on. */
export type ShareKind = 'todo' | 'habit' | 'list' | 'no list' | 'habits' | 'nothing'

export interface FocusShare {
  key: string
  kind: ShareKind
  name: string
  /** The to-do's list, whose colour is shown. */
  list: List | undefined
  seconds: number
}

const nothing = { key: 'nothing', kind: 'nothing', name: 'No task or habit', list: undefined } as const

/** The focus time of each to-do and each habit; last, the time that was spent on neither. */
export function sharesBySubject(subjects: readonly FocusOfSubject[], lists: readonly List[]): FocusShare[] {
  const shares = subjects.map(({ todo_id, habit_id, name, list_id, seconds }): FocusShare => {
    if (name === null) return { ...nothing, seconds }
    const list = lists.find(({ id }) => id === list_id)
    if (todo_id !== null) return { key: todo_id, kind: 'todo', name, list, seconds }
    return { key: habit_id ?? '', kind: 'habit', name, list: undefined, seconds }
  })
  return inOrder(shares)
}

/**
 * The focus time of each list's to-dos, of to-dos without a list, and of all habits together; last, the time that was spent on
 * neither.
 */
export function sharesByList(subjects: readonly FocusOfSubject[], lists: readonly List[]): FocusShare[] {
  const shares = new Map<string, FocusShare>()
  for (const share of sharesBySubject(subjects, lists)) {
    const { key, ...group } = groupOf(share)
    const { seconds = 0 } = shares.get(key) ?? {}
    shares.set(key, { key, ...group, seconds: seconds + share.seconds })
  }
  return inOrder([...shares.values()])
}

function groupOf({ kind, list, ...share }: FocusShare): Omit<FocusShare, 'seconds'> {
  if (kind === 'habit') return { key: 'habits', kind: 'habits', name: 'Habits', list: undefined }
  if (kind !== 'todo') return { kind, list, ...share }
  if (!list) return { key: 'no list', kind: 'no list', name: 'No list', list }
  return { key: list.id, kind: 'list', name: list.name, list }
}

function inOrder(shares: readonly FocusShare[]): FocusShare[] {
  const isLast = ({ kind }: FocusShare) => (kind === 'nothing' ? 1 : 0)
  return shares.toSorted((one, other) => isLast(one) - isLast(other) || other.seconds - one.seconds)
}
