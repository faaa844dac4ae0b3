import { notificationTag } from '#features/reminders/reminder/notification-tag.ts'
import { closeNotifications } from '#platform/browser/device/notifications.ts'
import type { Todo } from '../todo.ts'

/** On this device: a reminder still shown here would ask for something that is no longer to be done. */
export function closeReminderOf({ id }: Pick<Todo, 'id'>): void {
  void closeNotifications(notificationTag('todo', id))
}
