import { HabitsPage } from '#features/habits/web/habits-page.tsx'
import { LatePushPermissionNote } from '#features/reminders/web/late-push-permission-note.tsx'
import { ReminderQuestion, useReminderSet } from '#features/reminders/web/reminders-provider.tsx'

export function Habits() {
  return (
    <HabitsPage
      onReminderSet={useReminderSet()}
      pushPermissionNote={<LatePushPermissionNote />}
      reminderQuestion={<ReminderQuestion />}
    />
  )
}
