import { focusWrites } from '#features/focus/sessions/web/focus-queries.ts'
import { changeFocusTimer } from '#features/focus/timer/web/focus-timer-queries.ts'
import { habitWrites } from '#features/habits/habit/web/habit-queries.ts'
import { pauseWrites } from '#features/habits/pauses/web/pause-queries.ts'
import { laterListWrites } from '#features/lists/list/web/list-writes.ts'
import { tagWrites } from '#features/todos/tags/web/tag-writes.ts'
import type { FileCollection } from '#features/your-data/exported-account.ts'
import type { AnyWrite } from '#platform/sync/collections/write.ts'
import type { firstWrites } from './first-writes.ts'

/** The writes (declared changes to collections) that are not among `firstWrites`. */
export const otherWrites = Object.values({
  habits: habitWrites,
  pauses: pauseWrites,
  focus_sessions: focusWrites,
  timer: [changeFocusTimer],
  tags: tagWrites,
  laterLists: laterListWrites,
} satisfies Record<
  Exclude<FileCollection, keyof typeof firstWrites> | 'timer' | 'tags' | 'laterLists',
  readonly AnyWrite[]
>).flat()
