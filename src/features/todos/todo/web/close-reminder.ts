import { notificationTag } from '#features/reminders/reminder/notification-tag.ts'
import { closeNotifications } from '#platform/browser/device/notifications.ts'
import type { Todo } from '../todo.ts'

/** Closes the to-do's notification on this device: a task that is done no longer needs its reminder. */
export function closeReminderOf({ id }: Pick<Todo, 'id'>): void {
  void closeNotifications(notificationTag('todo', id))
}
