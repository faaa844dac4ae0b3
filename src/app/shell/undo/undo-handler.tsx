import { useEffect, useEffectEvent, useRef } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { rowIdsIn } from '#platform/browser/rows/row-elements.ts'
import { returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { counted } from '#platform/format/words.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import type { Change, Direction, UndoRequest } from '#platform/sync/undo/change-history.ts'
import { learnInstants } from '#platform/sync/undo/own-instants.ts'
import { planUndo, type UndoPlan } from '#platform/sync/undo/plan-undo.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { undoneKinds } from './undone-kinds.ts'

/** Undoes and redoes the person's changes in this tab, when a key or a toast's button requests it. Draws nothing. */
export function UndoHandler() {
  const sync = useSync()
  const { timeZone, dayStart } = useUserCalendar()
  const { changes } = sync

  const handled = useRef(0)

  const handle = useEffectEvent(async ({ direction, change }: UndoRequest) => {
    const turn = ++handled.current
    const wanted = change ?? changes.next(direction)
    if (!wanted) return toast(direction === 'undo' ? 'Nothing to undo' : 'Nothing to redo', { id: toastId })
    if (!changes.has(direction, wanted)) return toast("This can't be undone any more", { id: toastId })
    const moment = { now: Date.now(), timeZone, dayStart }
    const plan = planUndo(sync, Object.values(undoneKinds), { change: wanted, direction, moment })
    const { notice } = wanted
    if (notice) toast.dismiss(notice.toastId)
    changes.turn(direction, wanted)
    changes.announceRows(plan.ids)
    const hasPressedSince = notePresses()
    const stored = plan.run()
    if (direction === 'undo') notice?.onUndone?.()
    else notice?.onRedone?.()
    const isStored = await stored
    const hasGoneOn = hasPressedSince()
    // A failure to store was already reported.
    if (!isStored) return
    // After a press on a toast's button, the person sees the result, so an announcement is enough unless something was kept.
    if (change && direction === 'undo' && plan.done && plan.kept.length === 0) announce(wordsUndone(plan))
    // If a later press was handled while this one was being stored, its toast stays.
    else if (turn === handled.current) toastOutcome(plan, wanted, direction)
    if (!hasGoneOn) focusChanged(plan.ids)
  })
  const toastOutcome = (plan: UndoPlan, change: Change, direction: Direction) => {
    const other = direction === 'undo' ? 'redo' : 'undo'
    toast(`${headings[direction][plan.done ? 'done' : 'kept']}: ${lowerCase(plan.title)}`, {
      id: toastId,
      description: [plan.description, keptWords(plan, direction)].filter(Boolean).join('. '),
      ...(plan.done && {
        action: {
          label: other === 'redo' ? 'Redo' : 'Undo',
          onClick: () => changes.request({ direction: other, change }),
        },
      }),
    })
  }

  // The outbox soon forgets sent writes, but undoing a change later needs the instant at which it was made.
  useEffect(() => {
    const learn = () => learnInstants(changes.own(), sync.outbox.stored)
    learn()
    return sync.outbox.subscribe(learn)
  }, [sync, changes])

  useEffect(() => {
    const handleAll = () => {
      for (const request of changes.takeRequests()) void handle(request)
    }
    handleAll()
    return changes.subscribe(handleAll)
  }, [changes])

  return null
}

const toastId = 'undone'

const headings = {
  undo: { done: 'Undone', kept: 'Not undone' },
  redo: { done: 'Redone', kept: 'Not redone' },
}

/** Says what was not undone. If the change was about a single row, the text need not say which row. */
function keptWords({ done, kept, gone, ids }: UndoPlan, direction: Direction): string {
  if (!done && kept.length === 0)
    return direction === 'undo' ? 'Nothing is left to undo' : 'Nothing is left to redo'
  if (kept.length === 0) return ''
  if (ids.length === 0 && gone.length === kept.length)
    return kept.length === 1 ? 'It was deleted since' : 'They were deleted since'
  if (ids.length === 0) return kept.length === 1 ? 'It has changed since' : 'They have changed since'
  const count = counted(kept.length, 'has', 'have')
  return ids.length === 1 && kept.length === 1
    ? 'What has changed since stays'
    : `${count} changed since and stay${kept.length === 1 ? 's' : ''} so`
}

/** The text for people who cannot see the rows. */
function wordsUndone({ title, restored }: UndoPlan): string {
  return restored.length > 0 ? title.replace(/(added|deleted)$/, 'restored') : `Undone: ${lowerCase(title)}`
}

function lowerCase(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1)
}

/**
 * Starts to watch for presses. Returns a function that says whether anything was pressed since; call it once, or the
 * listeners stay.
 */
function notePresses(): () => boolean {
  let pressed = false
  const note = () => {
    pressed = true
  }
  for (const press of presses) window.addEventListener(press, note, true)
  return () => {
    for (const press of presses) window.removeEventListener(press, note, true)
    return pressed
  }
}

const presses = ['keydown', 'pointerdown']

/**
 * Focuses the first of the rows that is shown. Moves the focus only from another row, a toast, a heading, or nowhere, so
 * that nothing else loses it.
 */
function focusChanged(ids: readonly string[]): void {
  const active = document.activeElement
  if (active !== document.body && !active?.closest('[data-row], [data-sonner-toaster], h1')) return
  const present = new Set(rowIdsIn(document))
  const shown = ids.find((id) => present.has(id))
  if (shown !== undefined) returnFocusToRow(shown)
}
