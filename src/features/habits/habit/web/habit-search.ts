import { searchRows } from '#platform/search/row-search.ts'
import type { HabitFacts } from '../habit-facts.ts'

export const habitSearch = searchRows<HabitFacts>({
  title: ({ name }) => name,
  more: ({ description }) => [description],
})
