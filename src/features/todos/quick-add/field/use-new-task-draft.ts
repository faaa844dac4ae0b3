import { useLocation } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { type Draft, emptyDraft } from './draft.ts'

/** The task that is being typed on this screen: kept on the device until one that says `isAdding` was added. */
export function useNewTaskDraft(isAdding: boolean): [Draft, Dispatch<SetStateAction<Draft>>] {
  const path = useLocation({ select: ({ pathname }) => pathname })
  // While another screen comes, it is still this one.
  const [screen] = useState(path)
  const keeper = useDraftKeeper(`new task on ${screen}`)
  const [found] = useState(() => draftIn(keeper.find()?.text))
  const [draft, setDraft] = useState(found ?? emptyDraft)
  const kept = useRef(found && JSON.stringify(found))
  const isEmpty = isEmptyDraft(draft)

  // Runs before the next key, or whatever else ends the page.
  useLayoutEffect(() => {
    if (!isEmpty) {
      const text = JSON.stringify(draft)
      // Else the field of one tab, untouched, would undo what was typed in another one.
      if (text !== kept.current) keeper.keep(text, '')
      kept.current = text
    } else if (!isAdding && kept.current !== undefined) {
      keeper.forget(kept.current)
      kept.current = undefined
    }
  }, [draft, isEmpty, isAdding, keeper])

  // The next page takes the task over from the queue of this one: its text would be added there once more.
  useEffect(() => {
    if (!isAdding || !isEmpty) return
    const leave = () => kept.current !== undefined && keeper.forget(kept.current)
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [isAdding, isEmpty, keeper])

  // Added in another tab, it must not be added here once more.
  useEffect(
    () => keeper.watchGone(() => setDraft((now) => (now === found ? emptyDraft : now))),
    [keeper, found],
  )
  return [draft, setDraft]
}

/** As this device stored it, possibly by the version before. */
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
