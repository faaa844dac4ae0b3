/**
 * The tag of a notification. A habit or to-do has one tag: a later notification replaces an earlier one, and completing the habit
 * or to-do closes it. A run of the focus timer also has one tag, since both a page and a push may announce its end.
 */
export function notificationTag(kind: 'habit' | 'todo' | 'focus', id: string): string {
  return `${kind}-${id}`
}
