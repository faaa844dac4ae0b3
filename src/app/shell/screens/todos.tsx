import { useLists } from '#features/lists/list/web/use-lists.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { useChangePreferences, usePreferences } from '#features/preferences/web/use-preferences.ts'
import { TodosPage } from '#features/todos/pages/todos-page.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

export function Todos() {
  const { rows: lists } = useLists()
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  // Until the lists are known, the tasks of archived lists would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <TodosPage
      lists={lists}
      sort={(preferences ?? defaultPreferences).todos_sort}
      onSort={(todos_sort) => change({ todos_sort })}
    />
  )
}
