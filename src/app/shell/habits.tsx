import { HabitsPage } from '#features/habits/web/habits-page.tsx'
import { ReachNote } from '#features/reminders/web/reach-note.tsx'
import { useReminderSet } from '#features/reminders/web/reminders-provider.tsx'

export function Habits() {
  return <HabitsPage onReminderSet={useReminderSet()} reachNote={<ReachNote />} />
}
