import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { tagKey } from '#features/todos/todo/tags.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { editTodo, todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useQueue, useWrite } from '#platform/sync/react/use-collection.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { RemoveTagDialog, RenameTagDialog } from './tag-dialogs.tsx'
import { removeTag, renameTag } from './tag-writes.ts'

/** A menu of actions on a tag, for all tasks at once. */
export function TagMenu({ tag }: { tag: string }) {
  const [asking, setAsking] = useState<'rename' | 'remove'>()
  const write = useWrite()
  const queue = useQueue()
  const offerUndo = useOfferUndo()
  const navigate = useNavigate()
  const now = () => instantToWire(Date.now())
  const close = () => setAsking(undefined)
  const goTo = (name: string) =>
    void navigate({ to: '/tags/$tag', params: { tag: name }, replace: true, search: {} })

  const rename = (to: string, joins: boolean | undefined) => {
    close()
    if (to === tag) return
    const put = (from: string, to: string) => (write: QueueWrite) => {
      void write(renameTag, { tag: from, to, at: now() })
    }
    if (joins === false) {
      put(tag, to)(write)
      offerUndo(`Renamed to #${to}`, {
        row: ofTag,
        description: `#${tag}`,
        by: { undo: put(to, tag), redo: put(tag, to), part },
        onUndone: () => goTo(tag),
        onRedone: () => goTo(to),
      })
    } else {
      // No undo: once two tags have become one, nobody can tell which tasks had which.
      put(tag, to)(queue)
      toast(joins ? `Now part of #${to}` : `Renamed to #${to}`, { description: `#${tag}` })
    }
    goTo(to)
  }
  const remove = (tagged: readonly Todo[] | undefined) => {
    close()
    const takeOff = (write: QueueWrite) => {
      void write(removeTag, { tag, at: now() })
    }
    if (tagged) {
      takeOff(write)
      offerUndo('Tag removed', {
        row: ofTag,
        description: `#${tag}`,
        by: { undo: putOn(tagged), redo: takeOff, part },
        onUndone: () => announce('Tag restored'),
      })
    } else {
      // No undo: for tasks that only the server has, nobody could tell which had the tag.
      takeOff(queue)
      toast('Tag removed', { description: `#${tag}` })
    }
    void navigate({ to: '/todos', search: {} })
  }
  const putOn = (tagged: readonly Todo[]) => (write: QueueWrite) => {
    for (const { id, title, tags } of tagged) {
      const add = tags.filter((each) => tagKey(each) === tagKey(tag))
      void write(editTodo, { id, changes: { tags: { add } }, title, at: now() })
    }
  }
  const part = `tag:${tagKey(tag)}`
  const ofTag = { list: todoCollection.name, subject: `tag ${tagKey(tag)}` }

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="icon" aria-label={`Actions for tag ${tag}`} className="-mr-2 size-10">
            <Ellipsis />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" sideOffset={4} aria-labelledby={undefined} aria-label="Tag">
          <DropdownMenuItem onSelect={() => setAsking('rename')}>
            <Pencil />
            Rename everywhere
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsking('remove')}>
            <Trash2 />
            Remove everywhere
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <RenameTagDialog open={asking === 'rename'} tag={tag} onClose={close} rename={rename} />
      <RemoveTagDialog open={asking === 'remove'} tag={tag} onClose={close} remove={remove} />
    </>
  )
}
