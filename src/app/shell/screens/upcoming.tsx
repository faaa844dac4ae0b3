import { useLists } from '#features/lists/list/web/use-lists.ts'
import { UpcomingPage } from '#features/todos/pages/upcoming-page.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

/** The screen of the next 14 days. */
export function Upcoming() {
  const { rows: lists } = useLists()
  // Until the lists are known, the tasks of archived lists would be shown, too.
  if (!lists) return <LoadingScreen />
  return <UpcomingPage lists={lists} />
}
