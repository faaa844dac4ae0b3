import { ChevronDown, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Input } from '#platform/ui/controls/input.tsx'
import { nextOption, OptionList, optionId } from '#platform/ui/controls/option-list.tsx'
import type { FocusSubject } from '../focus-subject.ts'
import { type ShownSubject, subjectKey, useSubjects } from './subjects.ts'

interface SubjectFieldProps {
  subject: FocusSubject | undefined
  onChoose(subject: FocusSubject | undefined): void
  /** Text before the chosen subject. With it, the subject is shown as a line of text instead of a field. */
  before?: string | undefined
  disabled?: boolean
  className?: string
}

/** Chooses the subject of the focus: one of today's tasks and habits, a search result, or a new task with the typed title. */
export function SubjectField({ subject, onChoose, before, disabled, className }: SubjectFieldProps) {
  const subjects = useSubjects()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  const chosen = subjects.of(subject)
  const close = (byKey: boolean) => {
    returns.current = byKey
    setOpen(false)
  }
  useEffect(() => {
    if (!open && returns.current) button.current?.focus({ preventScroll: true })
    returns.current = false
  }, [open])

  if (open) {
    return (
      <Picker
        isChosen={subject !== undefined}
        onClose={close}
        onChoose={(to) => {
          close(true)
          if (subjectKey(to) !== subjectKey(subject)) onChoose(to)
        }}
        className={className}
      />
    )
  }
  const isLine = before !== undefined && chosen !== undefined
  return (
    <button
      ref={button}
      type="button"
      disabled={disabled}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-label={chosen && !isLine ? `Working on: ${chosen.title}` : undefined}
      onClick={() => setOpen(true)}
      className={cn(
        'flex min-h-10 max-w-full items-center gap-2 rounded-control text-start text-control transition-colors pointer-coarse:min-h-11',
        isLine
          ? 'mx-auto px-3 text-ink-2 hover:bg-hover'
          : cn('base:w-84 border bg-raised px-3', chosen ? 'border-line hover:bg-hover' : 'border-edge'),
        className,
      )}
    >
      {isLine && <span className="shrink-0">{before} </span>}
      {chosen ? (
        <>
          {chosen.sign}
          <bdi className={cn('min-w-0 truncate text-ink', !isLine && 'grow')}>{chosen.title}</bdi>
          {!isLine && <ChevronDown size={16} className="shrink-0 text-ink-3" />}
        </>
      ) : (
        <>
          <Search size={16} className="shrink-0 text-ink-3" />
          <span className="grow text-ink-3">{prompt}</span>
        </>
      )}
    </button>
  )
}

const prompt = 'What are you working on?'
const longestTitle = 500

interface PickerProps {
  isChosen: boolean
  onChoose(subject: FocusSubject | undefined): void
  /** `byKey`: whether the picker was closed by the keyboard or a choice, so that the focus returns to the button. */
  onClose(byKey: boolean): void
  className: string | undefined
}

interface Option {
  key: string
  group?: string
  divided?: boolean
  content: ReactNode
  take(): void
}

function Picker({ isChosen, onChoose, onClose, className }: PickerProps) {
  const subjects = useSubjects()
  const [typed, setTyped] = useState('')
  const [pointed, setPointed] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => field.current?.focus({ preventScroll: true }), [])

  const title = typed.trim()
  const { tasks, habits } = title === '' ? subjects.today : subjects.search(title)
  const optionOf =
    (group: string) =>
    (shown: ShownSubject): Option => ({
      key: subjectKey(shown.subject) ?? '',
      group,
      content: <SubjectOption {...shown} />,
      take: () => onChoose(shown.subject),
    })
  const addTyped = async () => {
    const added = await subjects.add(title)
    if (added) onChoose(added)
  }
  const options: Option[] = [
    ...tasks.map(optionOf(title === '' ? 'Tasks of today' : 'Tasks')),
    ...habits.map(optionOf('Habits')),
  ]
  if (title !== '') {
    options.push({
      key: 'add',
      divided: true,
      content: (
        <>
          <Plus size={16} className="shrink-0 text-ink-3" />
          <span className="min-w-0">
            Add the task “<bdi>{title}</bdi>”
          </span>
        </>
      ),
      take: () => void addTyped(),
    })
  } else {
    options.push({
      key: 'none',
      divided: true,
      content: <span className="text-ink-2">Nothing in particular</span>,
      take: () => onChoose(undefined),
    })
  }
  // Enter takes the first option, except 'Nothing in particular', which must be chosen on purpose.
  const first = title !== '' || options.length > 1 ? 0 : undefined
  const active = pointed !== undefined && pointed < options.length ? pointed : first

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = nextOption(event.key, active, options.length)
      setPointed(next)
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      if (active !== undefined) options[active]?.take()
    } else if (event.key === 'Escape') {
      // Keep the dialog around the picker open.
      event.stopPropagation()
      onClose(true)
    } else return
    event.preventDefault()
  }
  return (
    <div className={cn('relative base:w-84 max-w-full', className)}>
      <Search
        size={16}
        className="pointer-events-none absolute top-1/2 left-3 z-1 -translate-y-1/2 text-ink-3"
      />
      <Input
        ref={field}
        role="combobox"
        aria-label={prompt}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(id, active)}
        placeholder={isChosen ? 'Something else' : prompt}
        dir="auto"
        autoComplete="off"
        enterKeyHint="done"
        maxLength={longestTitle}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setPointed(undefined)
        }}
        onKeyDown={press}
        // The options never take the focus, so a blur means that the person has left the picker.
        onBlur={() => onClose(false)}
        className="pl-9 pointer-fine:text-control"
      />
      <OptionList
        ref={list}
        id={id}
        label="What to focus on"
        options={options}
        active={active}
        onTake={(place) => options[place]?.take()}
        className="inset-x-0 mt-2"
      />
    </div>
  )
}

function SubjectOption({ sign, title, note }: ShownSubject) {
  return (
    <>
      {sign}
      <bdi className="min-w-0 grow">{title}</bdi>
      {note !== undefined && <span className="shrink-0 text-ink-3 text-small">{note}</span>}
    </>
  )
}
