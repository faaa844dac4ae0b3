import { Bell, Calendar, FolderInput, Hash, Repeat, X } from 'lucide-react'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { List } from '#features/lists/list/list.ts'
import { formatDue } from '#features/todos/dates/web/format-due.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { PrioritySign, priorityNames } from '#features/todos/todo/web/priority-sign.tsx'
import { TitleProblem } from '#features/todos/todo/web/title-problem.tsx'
import { cancelEdit, saveTask } from '#features/todos/todo/web/todo-shortcuts.ts'
import { titleProblem } from '#features/todos/todo/web/use-title-editor.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { numberOrder } from '#platform/browser/device/number-order.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { capitalized } from '#platform/format/words.ts'
import { english } from '#platform/language/english.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { Hint } from '#platform/ui/controls/key.tsx'
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
import type { PartKind, QuickAdd, QuickAddPart } from '../reading/quick-add.ts'
import { readQuickAdd } from '../reading/read-quick-add.ts'
import { type Draft, type DraftReader, problemId, type ReadDraft } from './draft.ts'
import { taskOf } from './draft-task.ts'

interface QuickAddChipsProps {
  draft: Draft
  change(changes: Partial<Draft>): void
  /** Renders the draft with all that was typed. */
  render(): void
  /** The draft after reading; undefined until the reader is loaded. */
  reading: ReadDraft | undefined
  /** Passes the draft reader to the form, before the next paint. */
  onReader(reader: DraftReader): void
  /** The lists that a task can be added to. */
  lists: readonly List[]
  /** The due day of tasks that name none. */
  dueUnlessSaid: Day | undefined
  field: RefObject<HTMLTextAreaElement | null>
  /** Why the task cannot be added. */
  problem: string | undefined
}

/** Milliseconds without a key press before the result is announced to screen readers. */
const rest = 700

/**
 * Shows what was recognized in a draft, each part as a chip that can be removed, and suggests lists, tags and priorities in the
 * field.
 */
export function QuickAddChips({
  reading,
  onReader,
  dueUnlessSaid,
  problem,
  render,
  ...ofChips
}: QuickAddChipsProps) {
  const { draft, lists, field } = ofChips
  const signed = hasSign(draft.text)
  const Suggestions = usePart(LazyQuickAddSuggestions, signed)
  const around = field.current?.parentElement
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const reader = useMemo((): DraftReader => {
    const readings = new WeakMap<Draft, ReadDraft>()
    const context = { today, weekStart, lists, numberOrder: numberOrder(), language: english }
    const read = (draft: Draft) => {
      const { text, refused } = draft
      const quick = readQuickAdd(text, { ...context, refused })
      return {
        ...taskOf(draft, quick, { today, dueUnlessSaid }),
        parts: quick.parts,
        isDaySaid: draft.due !== null || quick.due_day !== null || draft.time !== null,
        isListAmbiguous: draft.list === null && isAmbiguous(quick, draft),
        marked: marked(text, quick.parts),
      }
    }
    const readOnce = (draft: Draft) => {
      const reading = readings.get(draft) ?? read(draft)
      readings.set(draft, reading)
      return reading
    }
    return {
      read: readOnce,
      // Most letters only go on with a title.
      looksTheSame: (shown, now) =>
        now.text.startsWith(shown.text) &&
        !hasSign(now.text) &&
        [shown, now].every((draft) => isPlainTitle(readOnce(draft))) &&
        fits(field.current),
    }
  }, [today, weekStart, lists, dueUnlessSaid, field])
  useLayoutEffect(() => onReader(reader), [onReader, reader])
  useLayoutEffect(() => growing(field.current, render), [field, render])
  return (
    <>
      {reading && <ReadChips reading={reading} today={today} {...ofChips} />}
      {problem !== undefined && (
        <TitleProblem id={problemId} className="col-span-2 row-start-3">
          {problem}
        </TitleProblem>
      )}
      {Suggestions && signed && around && createPortal(<Suggestions today={today} {...ofChips} />, around)}
    </>
  )
}

interface ReadChipsProps extends Pick<QuickAddChipsProps, 'draft' | 'change' | 'lists' | 'field'> {
  reading: ReadDraft
  today: Day
}

function ReadChips({ draft, change, reading, lists, today, field }: ReadChipsProps) {
  const { text, refused } = draft
  const { parts, isDaySaid } = reading
  const toField = useCallback(() => field.current?.focus(), [field])
  const choose = useCallback(
    (changes: Partial<Draft>) => {
      change(changes)
      toField()
    },
    [change, toField],
  )
  const wordsOf = (...kinds: PartKind[]) =>
    parts.filter(({ kind }) => kinds.includes(kind)).map(({ from, to }) => text.slice(from, to))
  /** Returns all parts of these kinds to the title, and no longer recognizes them. */
  const refuse = (...kinds: PartKind[]) => choose({ refused: [...refused, ...wordsOf(...kinds)] })
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isForField = event.target === field.current && !event.defaultPrevented && !event.isComposing
    if (!isForField || !isPressed(cancelEdit, event) || parts.length === 0) return
    // Return every recognized part to the title.
    event.preventDefault()
    change({ refused: [...refused, text] })
  })
  useEffect(() => {
    // Listen on the form, so that the suggestions, which listen on the field, get the key first.
    const form = field.current?.form
    form?.addEventListener('keydown', press)
    return () => form?.removeEventListener('keydown', press)
  }, [field])
  const refuseTag = (tag: string) => {
    const words = wordsOf('tag').filter((part) => part.toLowerCase().includes(tag.toLowerCase()))
    choose({ refused: [...refused, ...words] })
  }

  const { task, newList } = reading
  const list = lists.find(({ id }) => id === task.list_id)
  const rule = task.repeat ? ruleOf(task.repeat) : undefined
  const { tags = [], priority = 0, reminder } = task
  const summary = [
    rule && capitalized(repeatWords(rule)),
    isDaySaid && task.due_day && `due ${formatDue(task.due_day, today)}`,
    reminder && `at ${timeOfDay(reminder.time)}`,
    list && `list ${list.name}`,
    newList !== undefined && `new list ${newList}`,
    ...tags.map((tag) => `tag ${tag}`),
    priority > 0 && `priority ${priorityNames[priority]}`,
  ]
    .filter(Boolean)
    .join(', ')
  useSaid(summary)
  const isRead = parts.length > 0

  return (
    <div className="col-span-2 row-start-2 mt-2">
      {/* In a phone's dock they take only a part of the height, and one line while the keyboard is up, so that the field stays in
          place. */}
      <div className="flex flex-wrap items-center gap-2 max-md:-mx-4 max-md:-my-1 max-md:max-h-[calc(var(--seen,100dvh)*0.3)] max-md:overflow-auto max-md:px-4 max-md:py-1 group-data-keyboard/dock:flex-nowrap group-data-keyboard/dock:[scrollbar-width:none]">
        {rule && (
          <Chip
            icon={<Repeat />}
            name="Repeats"
            removal={`Don't repeat: keep “${wordsOf('repeat').join(' ')}” as text`}
            onRemove={() => refuse('repeat')}
          >
            {capitalized(repeatWords(rule))}
          </Chip>
        )}
        {isDaySaid && task.due_day && (
          <Chip
            icon={<Calendar />}
            name="Due"
            removal={draft.due === null ? 'Keep the date as text' : 'Remove due date'}
            onRemove={() => (draft.due === null ? refuse('due', 'time') : choose({ due: null }))}
            canBeRemoved={draft.due !== null || parts.some(({ kind }) => kind === 'due' || kind === 'time')}
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
            canBeRemoved={draft.time !== null || parts.some(({ kind }) => kind === 'time')}
          >
            {timeOfDay(reminder.time)}
          </Chip>
        )}
        {(list || newList !== undefined) && (
          <Chip
            icon={list ? <ColorCircle color={list.color} /> : <FolderInput />}
            name={list ? 'List' : 'New list'}
            removal={draft.list === null ? 'Keep the list as text' : 'Remove list'}
            onRemove={() => choose({ list: null, refused: [...refused, ...wordsOf('list')] })}
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
        <Choices
          due={draft.due}
          time={draft.time}
          dueDay={task.due_day ?? today}
          lists={text !== '' && (!list || reading.isListAmbiguous) && newList === undefined ? lists : noLists}
          isListAmbiguous={reading.isListAmbiguous}
          canRemind={text !== '' && !reminder}
          change={change}
          toField={toField}
        />
      </div>
      {isRead && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3 max-md:hidden pointer-coarse:hidden">
          <span className="min-w-0 wrap-anywhere">
            The task will be called “<bdi>{task.title}</bdi>”.
          </span>
          {hints}
        </p>
      )}
    </div>
  )
}

const noLists: readonly List[] = []

const toChips = { label: 'Go to the chips', keys: ['Tab'] }

// A constant element is not rendered again at every key press.
const hints = (
  <>
    <Hint of={saveTask} words="adds" />
    <Hint of={toChips} words="goes to the chips" />
    <Hint of={cancelEdit} words="keeps every word" />
  </>
)

interface ChoicesProps {
  /** The chosen due day. */
  due: Day | null
  time: number | null
  /** The day of the reminder. */
  dueDay: Day
  lists: readonly List[]
  isListAmbiguous: boolean
  canRemind: boolean
  change(changes: Partial<Draft>): void
  toField(): void
}

/** Buttons to choose what the text does not mention. Memoized, so that typing does not render them again. */
const Choices = memo(function Choices({
  due,
  time,
  dueDay,
  lists,
  isListAmbiguous,
  canRemind,
  change,
  toField,
}: ChoicesProps) {
  const [choosing, setChoosing] = useState<'date' | 'reminder'>()
  const DatePicker = usePart(LazyDatePicker, choosing !== undefined)
  const [dateButton, setDateButton] = useState<HTMLElement | null>(null)
  const [reminderButton, setReminderButton] = useState<HTMLElement | null>(null)
  return (
    <>
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
      {lists.length > 0 && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="quiet" className={quietLook}>
              <FolderInput />
              {isListAmbiguous ? 'Which list?' : 'List'}
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start" onCloseAutoFocus={(event) => event.preventDefault()}>
            <DropdownMenuLabel>Add to</DropdownMenuLabel>
            {lists.map(({ id, name, color }) => (
              <DropdownMenuItem
                key={id}
                onSelect={() => {
                  change({ list: id })
                  toField()
                }}
              >
                <ColorCircle color={color} />
                <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
      {canRemind && (
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
      {DatePicker && dateButton && (
        <DatePicker
          open={choosing === 'date'}
          label="Due date"
          anchor={dateButton}
          value={due === null ? null : { day: due, time: null }}
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
          value={{ day: dueDay, time: time ?? nineInTheMorning }}
          time="required"
          noneLabel="No reminder"
          onClose={() => setChoosing(undefined)}
          returnFocus={(chosen) => (chosen ? toField() : reminderButton.focus())}
          onChange={(chosen) =>
            change(chosen ? { due: chosen.day, time: chosen.time ?? nineInTheMorning } : { time: null })
          }
        />
      )}
    </>
  )
})

const LazyQuickAddSuggestions = lazyPart(
  () => import('./quick-add-suggestions.tsx'),
  'QuickAddSuggestions',
  'with the screen',
)
const LazyDatePicker = lazyPart(
  () => import('#platform/ui/dates/date-picker.tsx'),
  'DatePicker',
  'with the screen',
)

const quietLook = 'min-h-8 px-2 font-normal pointer-coarse:min-h-11'

function hasSign(text: string): boolean {
  return /[@#!]/.test(text)
}

/** Whether nothing is recognized, and the title can be saved. */
function isPlainTitle({ parts, task }: ReadDraft): boolean {
  return parts.length === 0 && titleProblem(task.title) === undefined
}

/** Whether the field is as high as its text. */
function fits(field: HTMLElement | null): boolean {
  return field !== null && field.scrollHeight <= field.clientHeight
}

/**
 * Keeps the field as high as its text, by measuring a copy of the text behind the field. `follow` brings the copy up to date.
 * Returns a function that stops this.
 */
function growing(field: HTMLElement | null, follow: () => void) {
  const [around, text] = [field?.parentElement, field?.previousElementSibling?.firstElementChild]
  if (!around || !(text instanceof HTMLElement)) return
  // In a phone's dock, a long text scrolls in the field, and its marks with it.
  const scroll = () => {
    if (text.parentElement) text.parentElement.scrollTop = field?.scrollTop ?? 0
  }
  const observer = new ResizeObserver(() => {
    around.style.height = `${text.offsetHeight}px`
    scroll()
    // A narrower field may need a line more for what is not in the copy yet.
    if (!fits(field)) follow()
  })
  observer.observe(text)
  observer.observe(around)
  field?.addEventListener('scroll', scroll)
  return () => {
    observer.disconnect()
    field?.removeEventListener('scroll', scroll)
    around.style.height = ''
  }
}

/** Whether several lists have the name in the text and the person has not chosen one. */
function isAmbiguous({ list }: QuickAdd, { named }: Draft): boolean {
  return list !== null && list.ids.length > 1 && !list.ids.some((id) => id === named)
}

/** The text with its recognized parts highlighted. */
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

/** Announces the summary once it has stayed the same for a moment, instead of at every key press. */
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
  /** The kind of the part, for people who cannot see the icon. */
  name: string
  children: ReactNode
  /** The accessible name of the removal button. */
  removal: string
  onRemove(): void
  canBeRemoved?: boolean
}

function Chip({ icon, name, children, removal, onRemove, canBeRemoved = true }: ChipProps) {
  return (
    <span
      className={
        'flex min-h-8 min-w-0 items-center gap-1.5 rounded-control bg-heat-0 pl-2.5 text-control group-data-keyboard/dock:shrink-0 pointer-coarse:min-h-11 [&>svg]:size-3.5 [&>svg]:shrink-0 ' +
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
