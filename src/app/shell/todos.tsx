import { useLists } from '#features/lists/web/use-lists.ts'
import { useMakeList } from '#features/lists/web/use-make-list.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { useChangePreferences, usePreferences } from '#features/preferences/web/use-preferences.ts'
import { LatePushPermissionNote } from '#features/reminders/web/late-push-permission-note.tsx'
import { ReminderQuestion, useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { TodosPage } from '#features/todos/web/todos-page.tsx'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'

export function Todos() {
  const { rows: lists } = useLists()
  const makeList = useMakeList(lists)
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const onReminderSet = useReminderSet()
  // Until they are known, the tasks of archived ones would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <TodosPage
      lists={lists}
      sort={(preferences ?? defaultPreferences).todos_sort}
      onSort={(todos_sort) => change({ todos_sort })}
      onReminderSet={onReminderSet}
      makeList={makeList}
      pushPermissionNote={<LatePushPermissionNote />}
      reminderQuestion={<ReminderQuestion />}
    />
  )
}
