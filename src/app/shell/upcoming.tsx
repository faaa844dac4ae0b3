import { useLists } from '#features/lists/web/use-lists.ts'
import { useMakeList } from '#features/lists/web/use-make-list.ts'
import { LatePushPermissionNote } from '#features/reminders/web/late-push-permission-note.tsx'
import { ReminderQuestion, useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { UpcomingPage } from '#features/todos/web/upcoming-page.tsx'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'

/** The next 14 days. */
export function Upcoming() {
  const { rows: lists } = useLists()
  const makeList = useMakeList(lists)
  const onReminderSet = useReminderSet()
  // Until they are known, the tasks of archived ones would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <UpcomingPage
      lists={lists}
      onReminderSet={onReminderSet}
      makeList={makeList}
      pushPermissionNote={<LatePushPermissionNote />}
      reminderQuestion={<ReminderQuestion />}
    />
  )
}
