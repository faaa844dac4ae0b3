import { useLists } from '#features/lists/list/web/use-lists.ts'
import { UpcomingPage } from '#features/todos/pages/upcoming-page.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

/** The next 14 days. */
export function Upcoming() {
  const { rows: lists } = useLists()
  // Until they are known, the tasks of archived ones would be shown, too.
  if (!lists) return <LoadingScreen />
  return <UpcomingPage lists={lists} />
}
