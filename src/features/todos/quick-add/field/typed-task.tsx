import { Bell, Calendar, FolderInput, Hash, Repeat } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { formatDue } from '#features/todos/dates/web/format-due.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { PrioritySign, priorityNames } from '#features/todos/todo/web/priority-sign.tsx'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { numberOrder } from '#platform/browser/device/number-order.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { capitalized } from '#platform/format/words.ts'
import { english } from '#platform/language/english.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { readQuickAdd } from '../reading/read-quick-add.ts'
import { type DraftTask, emptyDraft } from './draft.ts'
import { taskOf } from './draft-task.ts'

/** The task described by a line of text, read like the text in the field for new tasks. */
export function useTypedTask(line: string, lists: readonly List[]): DraftTask {
  const today = useToday()
  const { weekStart } = useUserCalendar()
  return useMemo(() => {
    const draft = { ...emptyDraft, text: line }
    const quick = readQuickAdd(line, {
      today,
      weekStart,
      lists,
      refused: draft.refused,
      numberOrder: numberOrder(),
      language: english,
    })
    return taskOf(draft, quick, { today, dueUnlessSaid: undefined })
  }, [line, lists, today, weekStart])
}

/** Shows what the line says besides the title. */
export function TypedTaskParts({ task, newList, lists }: DraftTask & { lists: readonly List[] }) {
  const today = useToday()
  const rule = task.repeat ? ruleOf(task.repeat) : undefined
  const list = lists.find(({ id }) => id === task.list_id)
  const { due_day, reminder, tags = [], priority = 0 } = task
  return (
    <>
      {rule && (
        <Part icon={<Repeat />} name="Repeats">
          {capitalized(repeatWords(rule))}
        </Part>
      )}
      {due_day != null && (
        <Part icon={<Calendar />} name="Due">
          {formatDue(due_day, today)}
        </Part>
      )}
      {reminder && (
        <Part icon={<Bell />} name="Reminder">
          {timeOfDay(reminder.time)}
        </Part>
      )}
      {list && (
        <Part icon={<ColorCircle color={list.color} />} name="List">
          {list.name}
        </Part>
      )}
      {newList !== undefined && (
        <Part icon={<FolderInput />} name="New list">
          New list “{newList}”
        </Part>
      )}
      {tags.map((tag) => (
        <Part key={tag} icon={<Hash />} name="Tag">
          {tag}
        </Part>
      ))}
      {priority > 0 && (
        <Part icon={<PrioritySign priority={priority} />} name="Priority">
          {priorityNames[priority]}
        </Part>
      )}
    </>
  )
}

interface PartProps {
  icon: ReactNode
  /** The kind of the part, for people who cannot see the icon. */
  name: string
  children: ReactNode
}

function Part({ icon, name, children }: PartProps) {
  return (
    <span className="inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-box bg-heat-0 px-2 text-ink [&>svg]:size-3.5 [&>svg]:shrink-0">
      {icon}
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{name}: </span>
        <bdi>{children}</bdi>
      </span>
    </span>
  )
}
