import { useEffect, useRef } from 'react'
import { todoList } from '#features/todos/web/todo-queries.ts'
import { copyText } from '#platform/browser/copy-text.ts'
import { findDraft, forgetDraft, placesOfDrafts } from '#platform/sync/drafts/kept-drafts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { toast } from '#platform/ui/overlays/toast.ts'

/** Tells what was typed into a task that is gone, and so has no field any more to show it. Draws nothing. */
export function LostDrafts(): null {
  const { account } = useSync()
  const { rows, status, arriving } = useCollection(todoList)
  const told = useRef(new Set<string>())
  useEffect(() => {
    if (!rows || status !== 'ready' || arriving) return
    const ids = new Set(rows.map(({ id }) => id))
    for (const place of placesOfDrafts(account)) {
      const id = /^(?:row|title|note) of (.+)$/.exec(place)?.[1]
      const text = findDraft(account, place)?.text
      if (id === undefined || ids.has(id) || told.current.has(place) || !text) continue
      told.current.add(place)
      const forget = () => forgetDraft(account, place)
      toast.warning('What you typed is not saved', {
        id: `draft-${place}`,
        duration: Number.POSITIVE_INFINITY,
        description: `“${text}”: its task isn't here any more.`,
        action: {
          label: 'Copy',
          onClick: () => {
            copyText(text)
            forget()
          },
        },
        onDismiss: forget,
      })
    }
  }, [account, rows, status, arriving])
  return null
}
