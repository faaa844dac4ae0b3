import { useLocation } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { type Draft, emptyDraft } from './draft.ts'

/**
 * The task being typed on this screen. The device keeps the draft until the task is added. `isAdding`: whether the task is being
 * added.
 */
export function useNewTaskDraft(isAdding: boolean): [Draft, Dispatch<SetStateAction<Draft>>] {
  const path = useLocation({ select: ({ pathname }) => pathname })
  // Keep the first path: when the person leaves, the address changes before this screen is removed.
  const [screen] = useState(path)
  const keeper = useDraftKeeper(`new task on ${screen}`)
  const [found] = useState(() => draftIn(keeper.find()?.text))
  const [draft, setDraft] = useState(found ?? emptyDraft)
  const kept = useRef(found && JSON.stringify(found))
  const isEmpty = isEmptyDraft(draft)

  // A layout effect stores the draft before the next key press, or before the page is closed.
  useLayoutEffect(() => {
    if (!isEmpty) {
      const text = JSON.stringify(draft)
      // Store changes only. Otherwise an untouched field in one tab would overwrite what was typed in another tab.
      if (text !== kept.current) keeper.keep(text, '')
      kept.current = text
    } else if (!isAdding && kept.current !== undefined) {
      keeper.forget(kept.current)
      kept.current = undefined
    }
  }, [draft, isEmpty, isAdding, keeper])

  // If the page is closed while the task is being added, the task is already queued and the next page sends it. Forget the draft,
  // so that the task is not added twice.
  useEffect(() => {
    if (!isAdding || !isEmpty) return
    const leave = () => kept.current !== undefined && keeper.forget(kept.current)
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [isAdding, isEmpty, keeper])

  // If the draft was added or emptied in another tab, clear it here, so that it is not added twice.
  useEffect(
    () => keeper.watchGone(() => setDraft((now) => (now === found ? emptyDraft : now))),
    [keeper, found],
  )
  return [draft, setDraft]
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
