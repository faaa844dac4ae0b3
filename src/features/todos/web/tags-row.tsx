import { Hash, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { isPressed } from '#platform/browser/shortcuts.ts'
import { useBeforeLeaving } from '#platform/browser/use-before-leaving.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { hasTag, mostTags, tagKey, tagSchema } from '../tags.ts'
import type { Todo } from '../todo.ts'
import { PropertyField, PropertyRow } from './property-row.tsx'
import { TitleProblem } from './title-problem.tsx'
import { cancelEdit } from './todo-shortcuts.ts'
import { useRowField } from './use-row-field.ts'
import { useTagsInUse } from './use-tags-in-use.ts'

interface TagsRowProps {
  todo: Todo
  change(tags: { add?: string[]; remove?: string[] }): void
}

const look = { icon: <Hash />, label: 'Tags' }

/** How many of the tags in use are offered at once. */
const mostOffered = 6

/** The tags of the task: a field that completes those in use, and behind it each with a button that removes it. */
export function TagsRow({ todo: { tags }, change }: TagsRowProps) {
  const { editing, row, field, open, leave, close } = useRowField()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<number>()
  const inUse = useTagsInUse()
  const listId = useId()
  const problemId = useId()
  const text = typed.trim().replace(/^#+/, '').trim()
  useBeforeLeaving(() => {
    if (editing && tagSchema.safeParse(text).success && !hasTag(tags, text))
      change({ add: [inUse.spelled(text)] })
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

  // Not before they are asked for: they lie over the tags that the task has.
  const isAsked = text !== '' || active !== undefined
  const matching = inUse.tags
    .filter((tag) => !hasTag(tags, tag) && tagKey(tag).includes(tagKey(text)))
    .sort((one, other) => Number(startsWith(other, text)) - Number(startsWith(one, text)))
    .slice(0, mostOffered)
  const offered = isAsked ? matching : []
  const problem =
    text === ''
      ? undefined
      : tags.length >= mostTags
        ? `A task has at most ${mostTags} tags`
        : tagSchema.safeParse(text).error?.issues[0]?.message
  const clear = () => {
    setTyped('')
    setActive(undefined)
  }
  const add = (tag: string) => {
    if (problem !== undefined) return
    clear()
    if (hasTag(tags, tag)) return
    change({ add: [inUse.spelled(tag)] })
    announce(`Tag ${tag} added`)
  }
  const remove = (tag: string) => {
    change({ remove: [tag] })
    announce(`Tag ${tag} removed`)
    field.current?.focus()
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chosen = active === undefined ? undefined : offered[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      const from = active ?? (step === 1 ? -1 : matching.length)
      if (matching.length > 0) setActive((from + step + matching.length) % matching.length)
    } else if (event.key === 'Enter' || event.key === ',') {
      if (chosen ?? text) add(chosen ?? text)
      else if (event.key === 'Enter') close()
    } else if (event.key === 'Backspace' && typed === '' && !event.repeat) {
      const last = tags.at(-1)
      if (last !== undefined) remove(last)
    } else if (isPressed(cancelEdit, event)) {
      if (typed === '') close()
      else clear()
    } else return
    event.preventDefault()
  }

  return (
    <PropertyField {...look}>
      <fieldset
        aria-label="Tags"
        className="min-w-0"
        onBlur={({ currentTarget, relatedTarget }) => {
          // The window lost the focus, and the field will get it back.
          if (document.activeElement === field.current || currentTarget.contains(relatedTarget)) return
          if (text !== '') add(text)
          leave()
        }}
      >
        <div className="relative">
          <Input
            ref={field}
            role="combobox"
            aria-label="Add a tag"
            aria-expanded={offered.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `${listId}-${active}`}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            placeholder="Add a tag"
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="done"
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setActive(undefined)
            }}
            onKeyDown={pressKey}
            className="min-h-8 py-0.5 pointer-fine:text-control"
          />
          {/* Its options are chosen with the focus in the field. */}
          <div
            id={listId}
            role="listbox"
            aria-label="Tags in use"
            className={cn(
              'absolute inset-x-0 top-full z-10 mt-1 rounded-card bg-raised p-1 shadow-2',
              offered.length === 0 && 'hidden',
            )}
          >
            {offered.map((tag, place) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                key={tag}
                id={`${listId}-${place}`}
                role="option"
                aria-selected={place === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => add(tag)}
                className="flex min-h-9 cursor-default items-center rounded-control px-3 py-1 text-control wrap-anywhere hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
              >
                #<bdi>{tag}</bdi>
              </div>
            ))}
          </div>
        </div>
        {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
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

function startsWith(tag: string, text: string): boolean {
  return tagKey(tag).startsWith(tagKey(text))
}
