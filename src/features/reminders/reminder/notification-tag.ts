/**
 * One tag per habit or to-do: a later notification replaces an earlier one, and completing the row closes it. One per run of
 * the focus timer, whose end a page and a push may both announce.
 */
export function notificationTag(kind: 'habit' | 'todo' | 'focus', id: string): string {
  return `${kind}-${id}`
}
