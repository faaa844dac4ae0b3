import type { Day } from '#platform/calendar/day.ts'
import type { QuickAdd } from '../reading/quick-add.ts'
import type { Draft, DraftTask } from './draft.ts'

/** Combines the typed text with what the person chose. A choice overrides the text. */
export function taskOf(
  draft: Draft,
  quick: QuickAdd,
  { today, dueUnlessSaid }: { today: Day; dueUnlessSaid: Day | undefined },
): DraftTask {
  const time = draft.time ?? quick.time
  const due_day = draft.due ?? quick.due_day ?? dueUnlessSaid ?? (time === null ? null : today)
  const ids = quick.list?.ids ?? []
  const named = ids.find((id) => id === draft.named) ?? ids[0]
  const list_id = draft.list ?? named ?? null
  const { tags, priority, repeat } = quick
  return {
    newList: draft.list === null && quick.list && !named ? quick.list.name : undefined,
    task: {
      title: quick.title.trim(),
      ...(due_day !== null && { due_day }),
      ...(repeat !== null && { repeat: due_day === null ? repeat : { ...repeat, from: due_day } }),
      ...(time !== null && { reminder: { days_before: 0, time } }),
      ...(list_id !== null && { list_id }),
      ...(priority > 0 && { priority }),
      ...(tags.length > 0 && { tags }),
    },
  }
}
