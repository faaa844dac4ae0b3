import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { hasTag, mostTags, tagKey, tagSchema } from '#features/todos/todo/tags.ts'
import { TitleProblem } from '#features/todos/todo/web/title-problem.tsx'
import { cancelEdit } from '#features/todos/todo/web/todo-shortcuts.ts'
import { useBeforeLeaving } from '#platform/browser/drafts/use-before-leaving.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { Input } from '#platform/ui/controls/input.tsx'
import { nextOption, OptionList, optionId } from '#platform/ui/controls/option-list.tsx'
import { useTagsInUse } from './use-tags-in-use.ts'

interface TypedTagOptions {
  /** The tags that the task has already. */
  tags: readonly string[]
  /** Whether typed text is added as a tag when the person leaves the page. */
  keepsTyped: boolean
  onAdd(tag: string): void
  /** Called for Backspace in the empty field. */
  onRemoveLast?(): void
  /** Called for Enter or Escape in the empty field. */
  onClose(): void
}

/** How many of the tags in use are offered at once. */
const mostOffered = 6

/** The state of a tag that is being typed, for `TagField`. */
export function useTypedTag({ tags, keepsTyped, onAdd, onRemoveLast, onClose }: TypedTagOptions) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<number>()
  const inUse = useTagsInUse()
  const text = typed.trim().replace(/^#+/, '').trim()
  /** The text that was added when the page was left: several events tell of one leaving. */
  const addedOnLeaving = useRef('')
  useBeforeLeaving(() => {
    if (addedOnLeaving.current === text) return
    addedOnLeaving.current = text
    if (keepsTyped && tagSchema.safeParse(text).success && !hasTag(tags, text)) onAdd(inUse.spelled(text))
  })
  // Do not open the list before the person types or presses an arrow key: it would cover the tags of the task.
  const isAsked = text !== '' || active !== undefined
  const matching = inUse.tags
    .filter((tag) => !hasTag(tags, tag) && tagKey(tag).includes(tagKey(text)))
    .sort((one, other) => Number(startsWith(other, text)) - Number(startsWith(one, text)))
    .slice(0, mostOffered)
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
    if (!hasTag(tags, tag)) onAdd(inUse.spelled(tag))
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chosen = active === undefined ? undefined : matching[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (matching.length > 0) setActive(nextOption(event.key, active, matching.length))
    } else if (event.key === 'Enter' || event.key === ',') {
      if (chosen ?? text) add(chosen ?? text)
      else if (event.key === 'Enter') onClose()
    } else if (event.key === 'Backspace' && typed === '' && !event.repeat && onRemoveLast) {
      onRemoveLast()
    } else if (isPressed(cancelEdit, event)) {
      if (typed === '') onClose()
      else clear()
    } else return
    event.preventDefault()
  }
  return {
    text,
    add,
    field: {
      typed,
      active,
      offered: isAsked ? matching : [],
      problem,
      add,
      pressKey,
      change(value: string) {
        addedOnLeaving.current = ''
        setTyped(value)
        setActive(undefined)
      },
    },
  }
}

type TagFieldProps = ReturnType<typeof useTypedTag>['field'] & { field: RefObject<HTMLInputElement | null> }

/** A text field for a tag, which suggests the tags in use. */
export function TagField({ field, typed, active, offered, problem, add, pressKey, change }: TagFieldProps) {
  const listId = useId()
  const problemId = useId()
  return (
    <>
      <div className="relative">
        <Input
          ref={field}
          role="combobox"
          aria-label="Add a tag"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : optionId(listId, active)}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          placeholder="Add a tag"
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="done"
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={pressKey}
          className="min-h-8 py-0.5 pointer-fine:text-control"
        />
        <OptionList
          id={listId}
          label="Tags in use"
          options={offered.map((tag) => ({
            key: tag,
            content: (
              <span>
                #<bdi>{tag}</bdi>
              </span>
            ),
          }))}
          active={active}
          onTake={(place) => add(offered[place] ?? '')}
          className="inset-x-0"
        />
      </div>
      {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
    </>
  )
}

function startsWith(tag: string, text: string): boolean {
  return tagKey(tag).startsWith(tagKey(text))
}
