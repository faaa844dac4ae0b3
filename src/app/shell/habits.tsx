import { HabitsPage } from '#features/habits/web/habits-page.tsx'
import { LatePushPermissionNote } from '#features/reminders/web/late-push-permission-note.tsx'
import { useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function Habits() {
  return (
    <OwnSessions>
      <HabitsPage onReminderSet={useReminderSet()} pushPermissionNote={<LatePushPermissionNote />} />
    </OwnSessions>
  )
}
