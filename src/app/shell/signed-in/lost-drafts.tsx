import { useEffect, useRef, useState } from 'react'
import { lists as listCollection } from '#features/lists/list/web/list-queries.ts'
import { hasTag } from '#features/todos/todo/tags.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { copyText } from '#platform/browser/device/copy-text.ts'
import {
  findDraft,
  forgetDraft,
  placesOfDrafts,
  untilLeftBehind,
} from '#platform/sync/local-store/kept-drafts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { toast } from '#platform/ui/toasts/toast.ts'

/** Reports typed text that no field shows any more, such as in a task that is gone. Draws nothing. */
export function LostDrafts(): null {
  const { account } = useSync()
  const todos = useCollection(todoCollection)
  const lists = useCollection(listCollection)
  const isKnown = [todos, lists].every(({ status, arriving }) => status === 'ready' && !arriving)
  const { rows: todoRows } = todos
  const { rows: listRows } = lists
  const told = useRef(new Set<string>())
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    if (!isKnown || !todoRows || !listRows) return
    let next: ReturnType<typeof setTimeout> | undefined
    for (const place of placesOfDrafts(account)) {
      const draft = findDraft(account, place)
      const lost = draft && lostText(place, draft.text, { todos: todoRows, lists: listRows })
      if (!lost || told.current.has(place)) continue
      const wait = untilLeftBehind(draft, Date.now())
      if (wait > 0) {
        next ??= setTimeout(() => setLooks(looks + 1), wait + 100)
        continue
      }
      told.current.add(place)
      tell(place, lost, () => forgetDraft(account, place))
    }
    return () => clearTimeout(next)
  }, [account, isKnown, todoRows, listRows, looks])
  return null
}

interface Known {
  todos: readonly { id: string; tags: readonly string[] }[]
  lists: readonly { id: string }[]
}

/** Returns the typed text and the kind of thing that is gone with it; falsy if a field still shows the text. */
function lostText(place: string, text: string, { todos, lists }: Known) {
  const [, task, list, tag] =
    /^(?:(?:row|title|note) of (.+)|new task on \/(?:lists\/(.+)|tags\/(.+)))$/.exec(place) ?? []
  if (task !== undefined) return todos.every(({ id }) => id !== task) && { text, of: 'task' }
  if (list !== undefined) return lists.every(({ id }) => id !== list) && { text: lineIn(text), of: 'list' }
  const name = tag && decodeURIComponent(tag)
  return name && todos.every(({ tags }) => !hasTag(tags, name)) && { text: lineIn(text), of: 'tag' }
}

/** Extracts the typed line from the draft of a new task, which holds more than the line. */
function lineIn(text: string): string {
  try {
    return String(JSON.parse(text).text)
  } catch {
    return text
  }
}

function tell(place: string, { text, of }: { text: string; of: string }, forget: () => void): void {
  toast.warning("What you typed isn't saved", {
    id: `draft-${place}`,
    duration: Number.POSITIVE_INFINITY,
    description: `“${text}”: its ${of} isn't here any more.`,
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
