import { useParams } from '@tanstack/react-router'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import { useChangePreferences, usePreferences } from '#features/preferences/web/use-preferences.ts'
import { TodosPage } from '#features/todos/pages/todos-page.tsx'
import { TagMenu } from '#features/todos/tags/web/tag-menu.tsx'
import { useTagsInUse } from '#features/todos/tags/web/use-tags-in-use.ts'
import { useRowTitle } from '#platform/browser/device/window-title.ts'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

/** The tasks with one tag, at its own address. */
export function Tag() {
  const { tag: inAddress } = useParams({ from: '/signed-in/tags/$tag' })
  const { rows: lists } = useLists()
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const tag = useTagsInUse().spelled(inAddress)
  useRowTitle(`#${tag}`)
  // Until the lists are known, the tasks of archived lists would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <TodosPage
      key={inAddress}
      tag={tag}
      lists={lists}
      sort={(preferences ?? defaultPreferences).todos_sort}
      onSort={(todos_sort) => change({ todos_sort })}
      menu={<TagMenu tag={tag} />}
    />
  )
}
