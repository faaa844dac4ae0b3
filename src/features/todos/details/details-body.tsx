import {
  Bell,
  Calendar,
  ChevronDown,
  CornerLeftUp,
  Ellipsis,
  Flag,
  Folder,
  History,
  Repeat,
  Trash2,
  X,
} from 'lucide-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { type Day, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { capitalized } from '#platform/format/words.ts'
import { byPosition } from '#platform/order/position.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { daysBefore, formatDay, formatDue, formatReminder, inSentence } from '../dates/web/format-due.ts'
import { MissedList } from '../repeat/history/web/missed-list.tsx'
import { repeatOf } from '../repeat/picker/repeat-of.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import type { BoardActions } from '../row/board-actions.ts'
import { SubtaskList } from '../subtasks/subtask-list.tsx'
import { listOf } from '../todo/in-list.ts'
import { dueOf } from '../todo/shown-todo.ts'
import { parentOf, type subtasksOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import { reminderTime } from '../todo/todo-reminder.ts'
import { prioritySchema } from '../todo/todo-row.ts'
import { PrioritySign, priorityNames } from '../todo/web/priority-sign.tsx'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import { type DetailsActions, detailsActions } from './details-actions.ts'
import { DetailsMenu } from './details-menu.tsx'
import { DetailsTitle } from './details-title.tsx'
import { EstimateRow } from './estimate-row.tsx'
import { NoteField } from './note-field.tsx'
import { PropertyRow } from './property-row.tsx'
import { TagsRow } from './tags-row.tsx'

interface DetailsBodyProps {
  todo: Todo
  todos: readonly Todo[]
  families: ReturnType<typeof subtasksOf<Todo>>
  lists: readonly List[]
  actions: BoardActions
  todoActions: TodoActions
  /** Whether everything is drawn, or only what comes before the properties. */
  isWhole: boolean
  onPickDue(todo: Todo, anchor: HTMLElement): void
  onPickReminder(todo: Todo, anchor: HTMLElement): void
  onPickRepeat(todo: Todo): void
  onShow(id: string, at?: 'title'): void
  onDelete(): void
  onClose(): void
}

export function DetailsBody(props: DetailsBodyProps) {
  const {
    todo,
    todos,
    families,
    lists,
    actions,
    todoActions,
    isWhole,
    onPickDue,
    onPickReminder,
    onPickRepeat,
    onShow,
    onDelete,
    onClose,
  } = props
  const today = useToday()
  const { timeZone, dayStart } = useUserCalendar()
  const newSubtask = useRef<HTMLInputElement>(null)
  const edits = useMemo(() => detailsActions(todoActions), [todoActions])
  const parent = parentOf(todo, new Map(todos.map((each) => [each.id, each])))
  const due = parent ? undefined : dueOf(todo, undefined, today)
  const subtasks = (families.byParent.get(todo.id) ?? []).toSorted(byPosition)
  const created = formatDay(dayOf(instantFromWire(todo.created_at), timeZone, dayStart), today)

  return (
    <>
      <header className="flex min-h-14 shrink-0 items-center justify-between gap-2 pr-3 pl-6 max-md:min-h-11 max-md:pr-1 max-md:pl-4">
        <p className="min-w-0 text-control text-ink-3">Created {pastInSentence(created)}</p>
        <span className="flex shrink-0">
          <DetailsMenu
            todo={todo}
            parent={parent}
            hasSubtasks={subtasks.length > 0}
            families={families}
            actions={edits}
            open={due?.open?.day}
            onShow={onShow}
          >
            <Button variant="icon" aria-label="More actions">
              <Ellipsis />
            </Button>
          </DetailsMenu>
          <Button variant="icon" aria-label="Delete task" onClick={onDelete}>
            <Trash2 />
          </Button>
          <Button variant="icon" aria-label="Close" onClick={onClose}>
            <X />
          </Button>
        </span>
      </header>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain px-6 pt-2 pb-6 md:max-lg:pb-28 max-md:px-4">
        {parent && (
          <button
            type="button"
            onClick={() => onShow(parent.id)}
            className="-mx-2 mb-1 flex min-h-8 max-w-full items-center gap-2 rounded-control px-2 text-start text-control text-ink-2 hover:bg-hover pointer-coarse:min-h-11"
          >
            <CornerLeftUp size={14} className="shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">Subtask of </span>
              <bdi>{parent.title}</bdi>
            </span>
          </button>
        )}
        <div className="flex gap-3">
          <Checkbox
            aria-label={todo.title}
            checked={todo.completed === 1}
            onChange={(event) => actions.setCompleted(todo, event.currentTarget.checked)}
            className="mt-1"
          />
          <div className="flex min-w-0 grow flex-col gap-1.5">
            <DetailsTitle todo={todo} rename={(title) => actions.rename(todo, title)} />
            <NoteField todo={todo} save={(note) => edits.writeNote(todo, note)} />
          </div>
        </div>
        {isWhole && (
          <>
            <div className="mt-4 flex flex-col">
              <PropertyRow
                icon={<Calendar />}
                label="Due date"
                aria-haspopup="dialog"
                value={todo.due_day === null ? undefined : formatDue(todo.due_day, today)}
                none="No date"
                onClick={({ currentTarget }) => onPickDue(todo, currentTarget)}
              />
              <PropertyRow
                icon={<Bell />}
                label="Reminder"
                aria-haspopup="dialog"
                value={reminderText(todo, { today, timeZone })}
                none="No reminder"
                onClick={({ currentTarget }) => onPickReminder(todo, currentTarget)}
              />
              {!parent && <RepeatRow todo={todo} onPick={() => onPickRepeat(todo)} />}
              <ListRow todo={parent ?? todo} lists={lists} actions={actions} isFixed={parent !== undefined} />
              <TagsRow todo={todo} change={(tags) => edits.edit(todo, { tags })} />
              <ChoiceMenu
                label="Priority"
                value={String(todo.priority)}
                onChoose={(value) => {
                  const { data } = prioritySchema.safeParse(Number(value))
                  if (data !== undefined && data !== todo.priority) actions.edit(todo, { priority: data })
                }}
                choices={[3, 2, 1, 0].map((value) => {
                  const priority = prioritySchema.parse(value)
                  return { value: String(value), shown: <PriorityText priority={priority} /> }
                })}
              >
                <PropertyRow
                  icon={<Flag />}
                  label="Priority"
                  value={todo.priority === 0 ? undefined : <PriorityText priority={todo.priority} />}
                  none="No priority"
                />
              </ChoiceMenu>
              <EstimateRow todo={todo} save={(estimate) => edits.edit(todo, { estimate })} />
              {due && <HistoryRow todo={todo} today={today} settle={edits.settle} />}
            </div>
            {!parent && due && due.missedInAll > 0 && (
              <MissedList
                missed={due.missed}
                earlier={due.missedEarlier}
                today={today}
                onSettle={(day, state) => edits.settle(todo, day, state)}
              />
            )}
            {!parent && (
              <SubtaskList
                subtasks={subtasks}
                newField={newSubtask}
                actions={{
                  setCompleted: actions.setCompleted,
                  rename: actions.rename,
                  remove: actions.remove,
                  open: (subtask) => onShow(subtask.id),
                  add: (title, after) => edits.addSubtask(todo, title, { after, subtasks }),
                  move: (subtask, to) => edits.moveSubtask(subtask, to, subtasks),
                }}
              />
            )}
          </>
        )}
      </div>
    </>
  )
}

function reminderText(todo: Todo, { today, timeZone }: { today: Day; timeZone: string }): string | undefined {
  const wallTime = reminderTime(todo, timeZone)
  if (!wallTime) return undefined
  const { due_day, reminder } = todo
  if (wallTime.day === due_day) return `On the day at ${timeOfDay(wallTime.time)}`
  if (!reminder) return formatReminder(wallTime, { due: due_day, today })
  return `${daysBefore(reminder)} at ${timeOfDay(wallTime.time)}`
}

function PriorityText({ priority }: { priority: Todo['priority'] }) {
  return (
    <span className="flex items-center gap-2">
      {priorityNames[priority]}
      {priority > 0 && <PrioritySign priority={priority} />}
    </span>
  )
}

interface ListRowProps {
  todo: Todo
  lists: readonly List[]
  actions: BoardActions
  /** Whether the list cannot be changed: a subtask is always in the list of its parent. */
  isFixed: boolean
}

function ListRow({ todo, lists, actions, isFixed }: ListRowProps) {
  const list = listOf(todo, new Map(lists.map((each) => [each.id, each])))
  const look = {
    icon: <Folder />,
    label: 'List',
    value: list && <ListName list={list} />,
    none: 'No list',
  }
  if (isFixed) return <PropertyRow {...look} disabled className="hover:bg-transparent" />
  const offered = lists.filter(({ archived_at, id }) => archived_at === null || id === list?.id)
  return (
    <ChoiceMenu
      label="List"
      value={list?.id ?? ''}
      onChoose={(id) => actions.moveToList(todo, { from: list, to: lists.find((each) => each.id === id) })}
      choices={[
        ...offered.map((each) => ({ value: each.id, shown: <ListName list={each} /> })),
        { value: '', shown: 'No list' },
      ]}
    >
      <PropertyRow {...look} />
    </ChoiceMenu>
  )
}

function RepeatRow({ todo, onPick }: { todo: Todo; onPick(): void }) {
  const words = repeatOf(todo)
  return (
    <PropertyRow
      icon={<Repeat />}
      label="Repeat"
      aria-haspopup="dialog"
      value={words === undefined ? undefined : capitalized(words)}
      none="Does not repeat"
      // A rule written by a newer version of the app must stay unchanged.
      disabled={todo.repeat !== null && ruleOf(todo.repeat) === undefined}
      onClick={onPick}
    />
  )
}

interface HistoryRowProps {
  todo: Todo
  today: Day
  settle: DetailsActions['settle']
}

/** Shows when the task was last done. Pressing it shows the state of each occurrence. */
function HistoryRow({ todo, today, settle }: HistoryRowProps) {
  const [isOpen, setOpen] = useState(false)
  const TaskHistory = usePart(LazyTaskHistory, isOpen)
  const content = useId()
  const doneOn = lastDoneOn(todo)
  return (
    <>
      <PropertyRow
        icon={<History />}
        label="History"
        aria-expanded={isOpen}
        aria-controls={content}
        value={
          <span className={cn('flex items-center justify-between gap-2', !doneOn && 'text-ink-3')}>
            {doneOn
              ? `Last done ${pastInSentence(formatDay(doneOn, today))}`
              : mayBeDoneBefore(todo)
                ? 'Not done lately'
                : 'Not done yet'}
            <ChevronDown size={16} className={cn('shrink-0 text-ink-3', isOpen && 'rotate-180')} />
          </span>
        }
        none=""
        onClick={() => setOpen(!isOpen)}
      />
      <div id={content} className={isOpen ? 'pt-2 pb-3' : undefined}>
        {TaskHistory && isOpen && <TaskHistory todo={todo} today={today} settle={settle} />}
      </div>
    </>
  )
}

const LazyTaskHistory = lazyPart(
  () => import('../repeat/history/web/task-history.tsx'),
  'TaskHistory',
  'after the screen',
)

/** Whether the task may have been done before `settled_from`: this device does not know the days before it in detail. */
function mayBeDoneBefore({ settled_from, created_at }: Todo): boolean {
  return settled_from != null && created_at.slice(0, 10) < settled_from
}

/** The latest day on which the task was done, as far as this device knows. */
function lastDoneOn({ settled = [] }: Todo): Day | undefined {
  return settled
    .flatMap(({ state, done_on }) => (state === 'done' && done_on !== null ? [done_on] : []))
    .toSorted()
    .at(-1)
}

/** The day for use within a sentence. Unlike `inSentence`, this also lowercases 'Yesterday'. */
function pastInSentence(day: string): string {
  return day === 'Yesterday' ? 'yesterday' : inSentence(day)
}

function ListName({ list }: { list: List }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ColorCircle color={list.color} />
      <bdi className="min-w-0 wrap-anywhere">{list.name}</bdi>
    </span>
  )
}

interface ChoiceMenuProps {
  label: string
  value: string
  choices: readonly { value: string; shown: ReactNode }[]
  onChoose(value: string): void
  /** The row that opens the menu. */
  children: ReactNode
}

function ChoiceMenu({ label, value, choices, onChoose, children }: ChoiceMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" sideOffset={4} aria-labelledby={undefined} aria-label={label}>
        <DropdownMenuRadioGroup value={value}>
          {choices.map((choice) => (
            <DropdownMenuRadioItem
              key={choice.value}
              value={choice.value}
              onSelect={() => onChoose(choice.value)}
            >
              {choice.shown}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
