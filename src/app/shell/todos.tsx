import { PushPermissionNote } from '#features/reminders/web/push-permission-note.tsx'
import { useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { TodosPage } from '#features/todos/web/todos-page.tsx'

export function Todos() {
  return <TodosPage onReminderSet={useReminderSet()} pushPermissionNote={<PushPermissionNote />} />
}
