/** One tag per habit or to-do: a later notification replaces an earlier one, and completing the row closes it. */
export function notificationTag(kind: 'habit' | 'todo', id: string): string {
  return `${kind}-${id}`
}
