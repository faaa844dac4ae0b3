import { searchRows } from '#platform/search/row-search.ts'
import type { HabitFacts } from '../counted-habit.ts'

export const habitSearch = searchRows<HabitFacts>({
  title: ({ name }) => name,
  more: ({ description }) => [description],
})
