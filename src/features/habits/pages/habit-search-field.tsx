import { ScreenSearch } from '#platform/ui/search/screen-search.tsx'
import type { ScreenSearchProps } from '#platform/ui/search/screen-search-props.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'
import { habitSearch } from '../habit/web/habit-search.ts'

export function HabitSearch(props: ScreenSearchProps<HabitFacts>) {
  return <ScreenSearch label="Search habits" what="habit" search={habitSearch} {...props} />
}
