import { Hash, Plus } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { List } from '#features/lists/list/list.ts'
import { listColorNames } from '#features/lists/list/list-color-names.ts'
import { useTagsInUse } from '#features/todos/tags/web/use-tags-in-use.ts'
import { openCounts } from '#features/todos/todo/in-list.ts'
import { PrioritySign, priorityNames } from '#features/todos/todo/web/priority-sign.tsx'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { numberOrder } from '#platform/browser/device/number-order.ts'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { english } from '#platform/language/english.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { nextOption, OptionList, optionId } from '#platform/ui/controls/option-list.tsx'
import { foldedName } from '../reading/markers.ts'
import { type Suggestion, suggestionsFor, taken, typedMarkerAt } from '../reading/suggestions.ts'
import type { Draft } from './draft.ts'

interface QuickAddSuggestionsProps {
  draft: Draft
  change(changes: Partial<Draft>): void
  /** The lists that a task can be added to. */
  lists: readonly List[]
  today: Day
  field: RefObject<HTMLTextAreaElement | null>
}

const labels = { list: 'Lists', tag: 'Tags', priority: 'Priorities' }

/**
 * Suggestions below the field, or above it in a phone's dock, for the word at the caret that begins with a sign: lists for @, tags
 * for #, priorities for !.
 */
export function QuickAddSuggestions({ draft, change, lists, today, field }: QuickAddSuggestionsProps) {
  const { text, refused } = draft
  const { weekStart } = useUserCalendar()
  const { tags } = useTagsInUse()
  const id = useId()
  const caret = useCaret(field, text)
  const marker = useMemo(
    () => (caret === undefined ? undefined : typedMarkerAt(text, caret, refused)),
    [text, caret, refused],
  )
  // The offset of the word for which the person closed the suggestions. They stay closed until the person begins another word.
  const [closed, setClosed] = useState<number>()
  if (closed !== undefined && marker?.from !== closed) setClosed(undefined)
  const { options, firstIsMeant } = useMemo(
    () =>
      marker && marker.from !== closed
        ? suggestionsFor(marker, { lists, tags, language: english })
        : { options: [], firstIsMeant: false },
    [marker, closed, lists, tags],
  )
  // Remember the option by its key: the options may change places when lists and tags are read again.
  const [pointed, setPointed] = useState<{ for: typeof marker; key: string }>()
  const place = pointed?.for === marker ? options.findIndex((each) => keyOf(each) === pointed?.key) : -1
  const active = place >= 0 ? place : firstIsMeant ? 0 : undefined

  const list = useRef<HTMLDivElement>(null)
  const caretAfter = useRef<number>(undefined)
  const take = (place: number) => {
    const suggestion = options[place]
    if (!marker || !suggestion) return
    const now = taken(text, marker, suggestion, {
      today,
      weekStart,
      lists,
      refused,
      numberOrder: numberOrder(),
      language: english,
    })
    caretAfter.current = now.caret
    change({
      text: now.text,
      ...(now.named !== undefined && { named: now.named }),
      ...(now.chosen !== undefined && { list: now.chosen }),
    })
  }
  // The form writes the text first, in its layout effect.
  useEffect(() => {
    if (caretAfter.current === undefined) return
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = undefined
  })

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event
    if (options.length === 0 || isHeld(event)) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = options[nextOption(key, active, options.length)]
      if (next) setPointed({ for: marker, key: keyOf(next) })
    } else if (key === 'Escape') setClosed(marker?.from)
    else if ((key === 'Enter' || key === 'Tab') && active !== undefined) take(active)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const element = field.current
    element?.addEventListener('keydown', press)
    return () => element?.removeEventListener('keydown', press)
  }, [field])

  const isOpen = options.length > 0
  useLayoutEffect(() => {
    const element = field.current
    if (!isOpen || !element) return
    const attributes = {
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': id,
      'aria-autocomplete': 'list',
      ...(active !== undefined && { 'aria-activedescendant': optionId(id, active) }),
    }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return () => {
      for (const name of Object.keys(attributes)) element.removeAttribute(name)
    }
  }, [isOpen, active, id, field])
  // Place the suggestions below the @, # or !, if there is room.
  const from = marker?.from
  useLayoutEffect(() => {
    if (!isOpen || from === undefined) return
    list.current?.style.setProperty('--at', `${placeOf(from, field.current, list.current)}px`)
  }, [isOpen, from, field])
  useEffect(() => {
    if (active !== undefined)
      document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [active, id])

  const details = useDetails(lists)
  return (
    <>
      <OptionList
        ref={list}
        id={id}
        label={marker ? labels[marker.kind] : ''}
        options={options.map((suggestion) => ({
          key: keyOf(suggestion),
          content: <Content suggestion={suggestion} details={details} />,
        }))}
        active={active}
        onTake={take}
        className="left-(--at) w-72 max-w-full max-md:inset-x-0 max-md:top-auto max-md:bottom-full max-md:mb-1 max-md:max-h-[min(320px,calc(var(--seen,100dvh)*0.5))] max-md:w-auto"
      />
      <p role="status" className="sr-only">
        {isOpen && counted(options.length, 'suggestion')}
      </p>
    </>
  )
}

/**
 * The position of the caret in this text; undefined if the field is not focused or text is selected. While the field has newer text,
 * whose caret would be elsewhere, it stays.
 */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string): number | undefined {
  const last = useRef<number>(undefined)
  const subscribe = useCallback(
    (listener: () => void) => {
      const element = field.current
      document.addEventListener('selectionchange', listener)
      element?.addEventListener('focus', listener)
      element?.addEventListener('blur', listener)
      return () => {
        document.removeEventListener('selectionchange', listener)
        element?.removeEventListener('focus', listener)
        element?.removeEventListener('blur', listener)
      }
    },
    [field],
  )
  const caret = useSyncExternalStore(subscribe, () => {
    const element = field.current
    if (!element || document.activeElement !== element) return undefined
    if (element.value !== text) return last.current
    return element.selectionStart === element.selectionEnd ? element.selectionStart : undefined
  })
  useLayoutEffect(() => {
    last.current = caret
  }, [caret])
  return caret
}

/** Whether the key belongs to an input method, or is pressed together with a modifier key. */
function isHeld(event: KeyboardEvent): boolean {
  return event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
}

/** The distance in pixels from the left edge of the field at which the list is below the character at `offset`. */
function placeOf(offset: number, field: HTMLElement | null, list: HTMLElement | null): number {
  const text = field?.previousElementSibling
  if (!field || !list || !text) return 0
  const range = document.createRange()
  const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  let left = offset
  while (nodes.nextNode()) {
    const length = nodes.currentNode.textContent?.length ?? 0
    if (left < length) {
      range.setStart(nodes.currentNode, left)
      range.setEnd(nodes.currentNode, left + 1)
      break
    }
    left -= length
  }
  const [sign, around] = [range.getBoundingClientRect(), field.getBoundingClientRect()]
  const isRightToLeft = getComputedStyle(field).direction === 'rtl'
  const wanted = isRightToLeft ? sign.right - list.offsetWidth : sign.left
  return Math.max(0, Math.min(wanted - around.left, around.width - list.offsetWidth))
}

function keyOf(suggestion: Suggestion<List>): string {
  switch (suggestion.kind) {
    case 'list':
      return suggestion.list.id
    case 'new list':
      return 'new'
    case 'priority':
      return suggestion.word
    default:
      return `${suggestion.kind} ${suggestion.tag}`
  }
}

interface ContentProps {
  suggestion: Suggestion<List>
  /** Text that distinguishes lists with the same name, by list id. */
  details: ReadonlyMap<string, string>
}

function Content({ suggestion, details }: ContentProps): ReactNode {
  switch (suggestion.kind) {
    case 'list': {
      const { id, name, color } = suggestion.list
      const detail = details.get(id)
      return (
        <>
          <ColorCircle color={color} className="mx-1" />
          <bdi className="min-w-0">{name}</bdi>
          {detail !== undefined && <span className="ml-auto pl-2 text-small text-ink-2">{detail}</span>}
        </>
      )
    }
    case 'new list':
      return <New>New list “{suggestion.name}”</New>
    case 'new tag':
      return <New>New tag “{suggestion.tag}”</New>
    case 'tag':
      return (
        <>
          <Hash size={14} className="mx-px shrink-0 text-ink-2" />
          <bdi className="min-w-0">{suggestion.tag}</bdi>
        </>
      )
    default:
      return (
        <>
          <PrioritySign priority={suggestion.priority} />
          {priorityNames[suggestion.priority]}
        </>
      )
  }
}

function New({ children }: { children: ReactNode }) {
  return (
    <>
      <Plus size={16} className="shrink-0 text-ink-2" />
      <bdi className="min-w-0">{children}</bdi>
    </>
  )
}

/**
 * Distinguishes lists with the same name by their colour and number of open tasks, and if these are equal too, by their order.
 */
function useDetails(lists: readonly List[]): ReadonlyMap<string, string> {
  const { rows } = useCollection(todoCollection)
  return useMemo(() => {
    const details = new Map<string, string>()
    const byName = Object.groupBy(lists, ({ name }) => foldedName(name))
    const counts = openCounts(rows ?? [])
    for (const same of Object.values(byName)) {
      if (!same || same.length < 2) continue
      const texts = same.map(({ id, color }) => `${listColorNames[color]}, ${openIn(counts.get(id) ?? 0)}`)
      for (const [place, { id }] of same.entries()) {
        const text = texts[place] ?? ''
        const isAlone = texts.filter((other) => other === text).length === 1
        details.set(id, isAlone ? text : `${text}, ${place + 1} of ${same.length}`)
      }
    }
    return details
  }, [lists, rows])
}

function openIn(count: number): string {
  return count === 0 ? 'empty' : `${integerFormat.format(count)} open`
}
