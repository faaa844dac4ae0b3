import { Hash, X } from 'lucide-react'
import { Button } from '#platform/ui/controls/button.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { TagField, useTypedTag } from '../tags/web/tag-field.tsx'
import type { Todo } from '../todo/todo.ts'
import { PropertyField, PropertyRow } from './property-row.tsx'
import { useRowField } from './use-row-field.ts'

interface TagsRowProps {
  todo: Todo
  change(tags: { add?: string[]; remove?: string[] }): void
}

const look = { icon: <Hash />, label: 'Tags' }

/** The tags of the task. While editing: a field that completes tags already in use, and each tag with a button to remove it. */
export function TagsRow({ todo: { tags }, change }: TagsRowProps) {
  const { editing, row, field, open, leave, close } = useRowField()
  const remove = (tag: string) => {
    change({ remove: [tag] })
    announce(`Tag ${tag} removed`)
    field.current?.focus()
  }
  const typing = useTypedTag({
    tags,
    keepsTyped: editing,
    onAdd(tag) {
      change({ add: [tag] })
      announce(`Tag ${tag} added`)
    },
    onRemoveLast() {
      const last = tags.at(-1)
      if (last !== undefined) remove(last)
    },
    onClose: close,
  })
  if (!editing) {
    return (
      <PropertyRow
        ref={row}
        {...look}
        value={
          tags.length === 0 ? undefined : (
            <span className="flex flex-wrap gap-x-2">
              {tags.map((tag) => (
                <span key={tag}>
                  #<bdi>{tag}</bdi>
                </span>
              ))}
            </span>
          )
        }
        none="No tags"
        onClick={open}
      />
    )
  }

  return (
    <PropertyField {...look}>
      <fieldset
        aria-label="Tags"
        className="min-w-0"
        onBlur={({ currentTarget, relatedTarget }) => {
          // Stay open: the window lost the focus and will return it to the field, or the focus is still among the tags.
          if (document.activeElement === field.current || currentTarget.contains(relatedTarget)) return
          if (typing.text !== '') typing.add(typing.text)
          leave()
        }}
      >
        <TagField field={field} {...typing.field} />
        {tags.length > 0 && (
          <ul
            aria-label="Tags of this task"
            className="mt-2 mb-1 flex flex-wrap gap-1.5 [list-style-type:'']"
          >
            {tags.map((tag) => (
              <li
                key={tag}
                className="flex min-h-8 min-w-0 items-center rounded-control bg-heat-0 pl-2.5 text-control wrap-anywhere"
              >
                <span className="min-w-0">
                  #<bdi>{tag}</bdi>
                </span>
                <Button
                  variant="icon"
                  aria-label={`Remove tag ${tag}`}
                  onClick={() => remove(tag)}
                  className="mx-1 size-6 pointer-coarse:mx-0 pointer-coarse:size-11"
                >
                  <X size={14} />
                </Button>
              </li>
            ))}
          </ul>
        )}
      </fieldset>
    </PropertyField>
  )
}
