import { Check } from 'lucide-react'
import { badgeWords } from '#features/habits/rhythm/web/rhythm-words.ts'
import type { Example } from '#features/imports/preview/web/examples.ts'
import { formatDay } from '#features/todos/dates/web/format-due.ts'
import { MetaLine } from '#features/todos/row/meta-line.tsx'
import { PrioritySign, priorityNames } from '#features/todos/todo/web/priority-sign.tsx'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { instantFromWire } from '#platform/calendar/day.ts'
import { clockTime, formatRoundDuration } from '#platform/format/format-time.ts'
import { counted } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'

/** An example row of an import file, drawn as it will look in the app. */
export function ImportExample({ example }: { example: Example }) {
  switch (example.kind) {
    case 'todo':
      return <TodoExample {...example} />
    case 'habit':
      return <HabitExample {...example} />
    case 'session':
      return <SessionExample {...example} />
  }
}

const rowClass =
  'flex min-h-8 flex-wrap items-center gap-x-3 gap-y-0.5 py-1 text-control @[36rem]:flex-nowrap @[36rem]:py-0'
const titleClass = 'min-w-0 flex-1 basis-[60%] truncate @[36rem]:basis-24'
const factsClass =
  'flex flex-wrap items-center gap-x-3 text-ink-2 text-small tabular-nums max-[36em]:pl-8 @[36rem]:max-w-3/4 @[36rem]:justify-end'

function TodoExample({ todo, list, subtasks }: Extract<Example, { kind: 'todo' }>) {
  const today = useToday()
  const isDone = todo.completed === 1
  return (
    <li className={rowClass}>
      <Square done={isDone} />
      <bdi className={cn(titleClass, isDone && 'text-ink-3')}>{todo.title}</bdi>
      <span className={factsClass}>
        <span className="*:gap-x-3 *:text-ink-2 *:text-small">
          <MetaLine
            // The list, tags and priority are drawn separately, without their usual links.
            todo={{ ...todo, tags: [], priority: 0 }}
            today={today}
            ofDay={undefined}
            list={undefined}
            progress={subtasks.of > 0 ? `${subtasks.done}/${subtasks.of}` : undefined}
            tagsShown={0}
          />
        </span>
        {todo.tags.map((tag) => (
          <span key={tag}>
            #<bdi>{tag}</bdi>
          </span>
        ))}
        {todo.priority > 0 && (
          <span className="flex items-center">
            <PrioritySign priority={todo.priority} />
            <span className="sr-only">Priority: {priorityNames[todo.priority]}</span>
          </span>
        )}
        {list && (
          <span className="flex min-w-0 items-center gap-1.5">
            <ColorCircle color={list.color} />
            <span className="sr-only">List: </span>
            <bdi className="max-w-48 truncate">{list.name}</bdi>
          </span>
        )}
      </span>
    </li>
  )
}

function HabitExample({ habit }: Extract<Example, { kind: 'habit' }>) {
  const { weekStart } = useUserCalendar()
  const today = useToday()
  const { name, rhythm, target, doneDays, lastDay } = habit
  return (
    <li className={rowClass}>
      <Square done={lastDay === today} />
      <bdi className={titleClass}>{name}</bdi>
      <span className={factsClass}>
        <span className="rounded-box bg-heat-0 px-1.5 text-ink-2">
          {badgeWords(rhythm, target, weekStart)}
        </span>
        <span>{`${counted(doneDays, 'day')} done`}</span>
        {lastDay !== undefined && <span>last on {formatDay(lastDay, today)}</span>}
      </span>
    </li>
  )
}

function SessionExample({ session, subject }: Extract<Example, { kind: 'session' }>) {
  const { timeZone } = useUserCalendar()
  const today = useToday()
  const day = session.days[0]?.day
  return (
    <li className={rowClass}>
      <bdi className={titleClass}>{subject ?? 'Focus session'}</bdi>
      <span className={factsClass}>
        {day !== undefined && <span>{formatDay(day, today)}</span>}
        {session.started_at !== null && (
          <span>{clockTime(instantFromWire(session.started_at), timeZone)}</span>
        )}
        <span>{formatRoundDuration(session.duration)}</span>
      </span>
    </li>
  )
}

/** A checkbox that cannot be ticked yet. */
function Square({ done }: { done: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid size-5 shrink-0 place-items-center rounded-box',
        done ? 'bg-accent text-on-accent' : 'bg-raised shadow-[inset_0_0_0_1.5px_var(--edge)]',
      )}
    >
      {done && <Check size={14} />}
    </span>
  )
}
