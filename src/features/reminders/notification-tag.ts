/** One to a habit or to-do: a later reminder takes the place of an earlier one, and what is done has none. */
export function notificationTag(kind: 'habit' | 'todo', id: string): string {
  return `${kind}-${id}`
}
