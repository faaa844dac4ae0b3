import { useLocation } from '@tanstack/react-router'
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { afterPaint } from '#platform/browser/activity.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { type Draft, type DraftReader, emptyDraft } from './draft.ts'

/**
 * The task being typed on this screen. The device keeps the draft until the task is added. `isAdding`: whether the task is being
 * added.
 *
 * While somebody types, the text belongs to the field: the browser draws each letter before anything is rendered for it. The draft
 * follows after that paint, or when the form calls `catchUp` because something needs all that was typed.
 */
export function useNewTaskDraft(
  field: RefObject<HTMLTextAreaElement | null>,
  isAdding: boolean,
  reader: DraftReader | undefined,
) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  // Keep the first path: when the person leaves, the address changes before this screen is removed.
  const [screen] = useState(path)
  const keeper = useDraftKeeper(`new task on ${screen}`)
  const [found] = useState(() => draftIn(keeper.find()?.text))
  const [draft, setDraft] = useState(found ?? emptyDraft)
  /** The draft with the letters that were typed last. */
  const typed = useRef(draft)
  const kept = useRef(found && JSON.stringify(found))
  const isEmpty = isEmptyDraft(draft)

  const keep = () => {
    if (!isEmptyDraft(typed.current)) {
      const text = JSON.stringify(typed.current)
      // Store changes only. Otherwise an untouched field in one tab would overwrite what was typed in another tab.
      if (text !== kept.current) keeper.keep(text, '')
      kept.current = text
    } else if (!isAdding && kept.current !== undefined) {
      keeper.forget(kept.current)
      kept.current = undefined
    }
  }

  /** Whether the letters typed last wait for their paint. */
  const isWaiting = useRef(false)
  /** Whether a rendering for them is on its way. What is typed meanwhile comes with the next. */
  const isFollowing = useRef(false)
  // Stores the draft after the paint, but before the next key press, and before the page is closed.
  const follow = useEffectEvent(() => {
    isWaiting.current = false
    keep()
    if (isFollowing.current || draft === typed.current) return
    if (reader?.looksTheSame(draft, typed.current)) return
    isFollowing.current = true
    // Not in a transition, which would wait for every part that is still on its way.
    setDraft(typed.current)
  })
  const followLater = () => {
    if (!isWaiting.current) afterPaint(follow)
    isWaiting.current = true
  }
  useLayoutEffect(() => {
    keep()
    isFollowing.current = false
    if (draft !== typed.current) followLater()
    else if (field.current && field.current.value !== draft.text) field.current.value = draft.text
  })

  const takeTyped = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
    typed.current = { ...typed.current, text: textIn(currentTarget) }
    followLater()
  }

  const catchUp = () => {
    if (draft !== typed.current) flushSync(() => setDraft(typed.current))
  }

  const change = useCallback(
    (changes: Partial<Draft>) => {
      typed.current = { ...typed.current, ...changes }
      // At once: a letter typed before the next rendering must not bring the old text back.
      if (field.current && changes.text !== undefined) field.current.value = changes.text
      setDraft(typed.current)
    },
    [field],
  )
  /** Renders what was typed. The draft stays the same object, by which `watchGone` sees that nobody has changed it here. */
  const render = useCallback(() => setDraft(typed.current), [])

  // If the page is closed while the task is being added, the task is already queued and the next page sends it. Forget the draft,
  // so that the task is not added twice.
  useEffect(() => {
    if (!isAdding || !isEmpty) return
    // The next task may be typed already.
    const leave = () =>
      isEmptyDraft(typed.current) && kept.current !== undefined && keeper.forget(kept.current)
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [isAdding, isEmpty, keeper])

  // If the draft was added or emptied in another tab, clear it here, so that it is not added twice.
  useEffect(
    () =>
      keeper.watchGone(() => {
        if (typed.current === found) change(emptyDraft)
      }),
    [keeper, found, change],
  )

  /** Puts a draft back, unless the next task is being typed. */
  const restore = (draft: Draft) => {
    if (typed.current.text === '') change(draft)
  }
  return [draft, change, restore, takeTyped, catchUp, render] as const
}

/** The text of the field. The title of a task has no line breaks: the field shows spaces instead, and the caret stays. */
function textIn(field: HTMLTextAreaElement): string {
  const { value, selectionEnd } = field
  if (value.includes('\n')) {
    field.value = unbroken(value)
    field.selectionEnd = unbroken(value.slice(0, selectionEnd)).length
  }
  return field.value
}

function unbroken(text: string): string {
  return text.replaceAll(/\n+/g, ' ')
}

/** Parses a draft that this device stored, possibly with the previous version of the app. */
function draftIn(stored: string | undefined): Draft | undefined {
  if (stored === undefined) return undefined
  try {
    const draft: Draft = { ...emptyDraft, ...JSON.parse(stored) }
    return typeof draft.text === 'string' ? draft : undefined
  } catch {
    return undefined
  }
}

export function isEmptyDraft({ text, due, time, list }: Draft): boolean {
  return text === '' && due === null && time === null && list === null
}
