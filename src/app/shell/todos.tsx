import { ReachNote } from '#features/reminders/web/reach-note.tsx'
import { useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { TodosPage } from '#features/todos/web/todos-page.tsx'

export function Todos() {
  return <TodosPage onReminderSet={useReminderSet()} reachNote={<ReachNote />} />
}
