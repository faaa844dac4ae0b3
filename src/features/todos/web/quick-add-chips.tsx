import { Bell, Calendar, FolderInput, Hash, Repeat, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { List } from '#features/lists/list.ts'
import { numberOrder } from '#platform/browser/number-order.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { english } from '#platform/language/english.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { nineInTheMorning } from '#platform/ui/dates/time-field.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import type { PartKind, QuickAdd, QuickAddPart } from '../quick-add/quick-add.ts'
import { readQuickAdd } from '../quick-add/read-quick-add.ts'
import { ruleOf } from '../repeat-rule.ts'
import { capitalized, repeatWords } from '../repeat-words.ts'
import { taskOf } from './draft-task.ts'
import { formatDue } from './format-due.ts'
import type { Draft, ReadDraft } from './new-task.ts'
import { PrioritySign, priorityNames } from './priority-sign.tsx'

interface QuickAddChipsProps {
  draft: Draft
  change(changes: Partial<Draft>): void
  /** Called before the next paint with what the draft says. */
  onRead(reading: ReadDraft): void
  /** Those that a task can be put into. */
  lists: readonly List[]
  /** What it is due where no day is said. */
  dueUnlessSaid: Day | undefined
  field: RefObject<HTMLTextAreaElement | null>
}

/** How long a person has to rest from typing before what was read is said, in milliseconds. */
const rest = 700

/** Reads a draft, and shows what it says beside its title: each as a chip that can be taken back. */
export function QuickAddChips({ draft, change, onRead, lists, dueUnlessSaid, field }: QuickAddChipsProps) {
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const { text, refused } = draft
  const quick = useMemo(
    () =>
      readQuickAdd(text, {
        ...{ today, weekStart, lists, refused },
        numberOrder: numberOrder(),
        language: english,
      }),
    [text, today, weekStart, lists, refused],
  )
  const reading = useMemo(
    (): ReadDraft => ({
      of: draft,
      isMore: quick.parts.length > 0,
      marked: marked(draft.text, quick.parts),
      ...taskOf(draft, quick, { today, dueUnlessSaid }),
    }),
    [draft, quick, today, dueUnlessSaid],
  )
  useLayoutEffect(() => onRead(reading), [onRead, reading])

  const [choosing, setChoosing] = useState<'date' | 'reminder'>()
  const DatePicker = usePart(LazyDatePicker, choosing !== undefined)
  const [dateButton, setDateButton] = useState<HTMLElement | null>(null)
  const [reminderButton, setReminderButton] = useState<HTMLElement | null>(null)
  const toField = () => field.current?.focus()
  /** Its words go back to the title, and are not read again. */
  const refuse = (...kinds: PartKind[]) => {
    const words = quick.parts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ from, to }) => text.slice(from, to))
    change({ refused: [...refused, ...words] })
    toField()
  }
  const refuseTag = (tag: string) => {
    const parts = quick.parts.filter(({ kind }) => kind === 'tag').map(({ from, to }) => text.slice(from, to))
    change({
      refused: [...refused, ...parts.filter((part) => part.toLowerCase().includes(tag.toLowerCase()))],
    })
    toField()
  }
  const choose = (changes: Partial<Draft>) => {
    change(changes)
    toField()
  }

  const { task, newList } = reading
  const list = lists.find(({ id }) => id === task.list_id)
  const rule = task.repeat ? ruleOf(task.repeat) : undefined
  const { tags = [], priority = 0, reminder } = task
  const isDayShown =
    task.due_day != null && (draft.due !== null || quick.due_day !== null || draft.time !== null)
  const summary = [
    rule && capitalized(repeatWords(rule)),
    isDayShown && task.due_day && `due ${formatDue(task.due_day, today)}`,
    reminder && `at ${timeOfDay(reminder.time)}`,
    list && `list ${list.name}`,
    newList !== undefined && `new list ${newList}`,
    ...tags.map((tag) => `tag ${tag}`),
    priority > 0 && `priority ${priorityNames[priority]}`,
  ]
    .filter(Boolean)
    .join(', ')
  useSaid(summary)
  const ambiguous = draft.list === null && (quick.list?.ids.length ?? 0) > 1
  const isRead = quick.parts.length > 0

  return (
    <div className="col-span-2 row-start-2 mt-2">
      <div className="flex flex-wrap items-center gap-2">
        {rule && (
          <Chip
            icon={<Repeat />}
            name="Repeats"
            removal={`Don't repeat: keep “${wordsOf(text, quick, 'repeat')}” as text`}
            onRemove={() => refuse('repeat')}
          >
            {capitalized(repeatWords(rule))}
          </Chip>
        )}
        {isDayShown && task.due_day && (
          <Chip
            icon={<Calendar />}
            name="Due"
            removal={draft.due === null ? 'Keep the date as text' : 'Remove due date'}
            onRemove={() => (draft.due === null ? refuse('due', 'time') : choose({ due: null }))}
            canBeRemoved={
              draft.due !== null || quick.parts.some(({ kind }) => kind === 'due' || kind === 'time')
            }
          >
            {formatDue(task.due_day, today)}
          </Chip>
        )}
        {reminder && (
          <Chip
            icon={<Bell />}
            name="Reminder"
            removal={draft.time === null ? 'Keep the time as text' : 'Remove reminder'}
            onRemove={() => (draft.time === null ? refuse('time') : choose({ time: null }))}
            canBeRemoved={draft.time !== null || quick.parts.some(({ kind }) => kind === 'time')}
          >
            {timeOfDay(reminder.time)}
          </Chip>
        )}
        {(list || newList !== undefined) && (
          <Chip
            icon={list ? <ColorCircle color={list.color} /> : <FolderInput />}
            name={list ? 'List' : 'New list'}
            removal={draft.list === null ? 'Keep the list as text' : 'Remove list'}
            onRemove={() => (draft.list === null ? refuse('list') : choose({ list: null }))}
          >
            {list ? list.name : <>New list “{newList}”</>}
          </Chip>
        )}
        {tags.map((tag) => (
          <Chip
            key={tag}
            icon={<Hash />}
            name="Tag"
            removal={`Keep #${tag} as text`}
            onRemove={() => refuseTag(tag)}
          >
            {tag}
          </Chip>
        ))}
        {priority > 0 && (
          <Chip
            icon={<PrioritySign priority={priority} />}
            name="Priority"
            removal="Keep the priority as text"
            onRemove={() => refuse('priority')}
          >
            {priorityNames[priority]}
          </Chip>
        )}
        <Button
          ref={setDateButton}
          variant="quiet"
          aria-haspopup="dialog"
          aria-expanded={choosing === 'date'}
          onClick={() => setChoosing('date')}
          className={quietLook}
        >
          <Calendar />
          Due date
        </Button>
        {text !== '' && (!list || ambiguous) && newList === undefined && lists.length > 0 && (
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button variant="quiet" className={quietLook}>
                <FolderInput />
                {ambiguous ? 'Which list?' : 'List'}
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent align="start" onCloseAutoFocus={(event) => event.preventDefault()}>
              <DropdownMenuLabel>Add to</DropdownMenuLabel>
              {lists.map(({ id, name, color }) => (
                <DropdownMenuItem key={id} onSelect={() => choose({ list: id })}>
                  <ColorCircle color={color} />
                  <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
                </DropdownMenuItem>
              ))}
            </DropdownMenuContent>
          </DropdownMenu>
        )}
        {text !== '' && !reminder && (
          <Button
            ref={setReminderButton}
            variant="quiet"
            aria-haspopup="dialog"
            aria-expanded={choosing === 'reminder'}
            onClick={() => setChoosing('reminder')}
            className={quietLook}
          >
            <Bell />
            Reminder
          </Button>
        )}
      </div>
      {isRead && (
        <p className="mt-1 text-small text-ink-3 max-md:hidden pointer-coarse:hidden">
          The task will be called “<bdi>{task.title}</bdi>”. Esc keeps every word.
        </p>
      )}
      {DatePicker && dateButton && (
        <DatePicker
          open={choosing === 'date'}
          label="Due date"
          anchor={dateButton}
          value={draft.due === null ? null : { day: draft.due, time: null }}
          time="none"
          noneLabel="No date"
          onClose={() => setChoosing(undefined)}
          returnFocus={(chosen) => (chosen ? toField() : dateButton.focus())}
          onChange={(chosen) => change({ due: chosen?.day ?? null })}
        />
      )}
      {DatePicker && reminderButton && (
        <DatePicker
          open={choosing === 'reminder'}
          label="Reminder"
          anchor={reminderButton}
          value={{ day: task.due_day ?? today, time: draft.time ?? nineInTheMorning }}
          time="required"
          noneLabel="No reminder"
          onClose={() => setChoosing(undefined)}
          returnFocus={(chosen) => (chosen ? toField() : reminderButton.focus())}
          onChange={(chosen) =>
            change(chosen ? { due: chosen.day, time: chosen.time ?? nineInTheMorning } : { time: null })
          }
        />
      )}
    </div>
  )
}

const LazyDatePicker = lazyPart(
  () => import('#platform/ui/dates/date-picker.tsx'),
  'DatePicker',
  'with the screen',
)

const quietLook = 'min-h-8 px-2 font-normal pointer-coarse:min-h-11'

/** The text with its parts marked behind it. */
function marked(text: string, parts: readonly QuickAddPart[]): ReactNode[] {
  const pieces: ReactNode[] = []
  let place = 0
  for (const { from, to } of parts) {
    pieces.push(
      text.slice(place, from),
      <span key={from} className="rounded-[3px] bg-heat-0 box-decoration-clone">
        {text.slice(from, to)}
      </span>,
    )
    place = to
  }
  return [...pieces, text.slice(place)]
}

function wordsOf(text: string, { parts }: QuickAdd, kind: PartKind): string {
  const part = parts.find((each) => each.kind === kind)
  return part ? text.slice(part.from, part.to) : ''
}

/** Says what was read once it has stayed the same for a moment: not with every key. */
function useSaid(summary: string): void {
  const said = useRef('')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (summary === said.current) return
      said.current = summary
      if (summary !== '') announce(summary)
    }, rest)
    return () => clearTimeout(timer)
  }, [summary])
}

interface ChipProps {
  icon: ReactNode
  /** What it is, for who cannot see the icon. */
  name: string
  children: ReactNode
  /** The name of its button. */
  removal: string
  onRemove(): void
  canBeRemoved?: boolean
}

function Chip({ icon, name, children, removal, onRemove, canBeRemoved = true }: ChipProps) {
  return (
    <span
      className={
        'flex min-h-8 min-w-0 items-center gap-1.5 rounded-control bg-heat-0 pl-2.5 text-control pointer-coarse:min-h-11 [&>svg]:size-3.5 [&>svg]:shrink-0 ' +
        (canBeRemoved ? '' : 'pr-2.5')
      }
    >
      {icon}
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{name}: </span>
        <bdi>{children}</bdi>
      </span>
      {canBeRemoved && (
        <Button
          variant="icon"
          aria-label={removal}
          onClick={onRemove}
          onKeyDown={(event) => {
            if (event.key !== 'Backspace' && event.key !== 'Delete') return
            event.preventDefault()
            onRemove()
          }}
          className="size-8 pointer-coarse:size-11"
        >
          <X size={14} />
        </Button>
      )}
    </span>
  )
}
