import { ChevronRight, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useBeforeLeaving } from '#platform/browser/drafts/use-before-leaving.ts'
import { useSavedDraft } from '#platform/browser/drafts/use-saved-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { progressOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { todoCollection } from '../todo/web/todo-queries.ts'
import { moveSubtask, nextSubtask, removeSubtask } from '../todo/web/todo-shortcuts.ts'
import { titleProblem } from '../todo/web/use-title-editor.ts'

export interface SubtaskActions {
  setCompleted(subtask: Todo, completed: boolean): void
  rename(subtask: Todo, title: string): void
  remove(subtask: Todo): void
  /** Shows the details of the subtask. */
  open(subtask: Todo): void
  /** Adds a subtask after another one, or last. `kept` resolves with false if it could not be stored. */
  add(title: string, after: Todo | undefined): { id: string; kept: Promise<boolean> }
  /** Moves a subtask to a place in the list, counted from 0. */
  move(subtask: Todo, to: number): void
}

interface SubtaskListProps {
  /** The subtasks in their order. */
  subtasks: readonly Todo[]
  /** The field for a new subtask. */
  newField: RefObject<HTMLInputElement | null>
  actions: SubtaskActions
}

/** The subtasks of a task, each edited in place. */
export function SubtaskList({ subtasks, newField, actions }: SubtaskListProps) {
  const heading = useId()
  const list = useRef<HTMLUListElement>(null)
  /** Where the field for a new subtask is: after the first of these subtasks that exists. If empty, the field is last. */
  const [newAfter, setNewAfter] = useState<readonly string[]>([])
  const { done, of } = progressOf(subtasks)
  const above = newAfter.find((each) => subtasks.some(({ id }) => id === each))
  const isAmong = above !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field has moved to its new place
  useEffect(() => {
    if (newAfter.length > 0) newField.current?.focus()
  }, [newAfter])

  const focusAt = (place: number) => {
    const fields = list.current?.querySelectorAll<HTMLElement>('[data-subtask]') ?? []
    const field = fields[place] ?? newField.current
    field?.focus()
  }
  const remove = (place: number) => {
    const subtask = subtasks[place]
    if (!subtask) return
    focusAt(Math.max(0, place === 0 ? 1 : place - 1))
    actions.remove(subtask)
  }
  const field = (
    <NewSubtask
      key="new"
      ref={newField}
      isAmong={isAmong}
      add={(title) => {
        const after = subtasks.find(({ id }) => id === above)
        const { id, kept } = actions.add(title, after)
        // Keep the field in place until the new subtask appears: if it moved, it would lose the focus.
        if (after) setNewAfter([id, after.id])
        return kept
      }}
      onLeave={() => setNewAfter([])}
      onBack={() => focusAt(isAmong ? subtasks.findIndex(({ id }) => id === above) : subtasks.length - 1)}
    />
  )

  return (
    <section aria-labelledby={heading} className="mt-5">
      <h3 id={heading} className="py-1.5 text-control font-medium text-ink-2">
        Subtasks
        {of > 0 && (
          <span className="ml-2 font-normal text-ink-3 tabular-nums">
            {integerFormat.format(done)} of {integerFormat.format(of)}
          </span>
        )}
      </h3>
      <ul ref={list} aria-labelledby={heading} className="[list-style-type:'']">
        {subtasks.flatMap((subtask, place) => [
          <SubtaskRow
            key={subtask.id}
            subtask={subtask}
            actions={actions}
            onNext={() => {
              if (place === subtasks.length - 1) newField.current?.focus()
              else setNewAfter([subtask.id])
            }}
            onRemove={() => remove(place)}
            onMove={(step) => {
              const to = place + step
              if (to >= 0 && to < subtasks.length) actions.move(subtask, to)
            }}
          />,
          ...(subtask.id === above ? [field] : []),
        ])}
        {!isAmong && field}
      </ul>
    </section>
  )
}

const rowLook = 'group/subtask flex items-start gap-x-3'
const actionLook = 'text-edge not-group-hover/subtask:not-group-focus-within/subtask:pointer-fine:opacity-0'
const fieldLook =
  'field-sizing-content -ml-1.5 block w-[calc(100%+6px)] resize-none rounded-box px-1.5 py-2 text-control outline-offset-[-2px] placeholder:text-ink-3 wrap-anywhere pointer-coarse:py-2.5 pointer-coarse:text-body'

interface SubtaskRowProps {
  subtask: Todo
  actions: SubtaskActions
  onNext(): void
  onRemove(): void
  onMove(step: 1 | -1): void
}

function SubtaskRow({ subtask, actions, onNext, onRemove, onMove }: SubtaskRowProps) {
  const draft = useSavedDraft(subtask.title, {
    mayBe: (text) => titleProblem(text.trim()) === undefined,
    save: (text) => actions.rename(subtask, text.trim()),
    keeper: useDraftKeeper(`title of ${subtask.id}`),
  })
  const problemId = useId()
  const [editing, setEditing] = useState(false)
  useKeptWhileEdited(todoCollection, subtask, editing)
  // An empty title is no problem: the subtask is about to be removed or renamed.
  const problem = draft.value.trim() === '' ? undefined : titleProblem(draft.value.trim())
  const pressKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (isPressed(moveSubtask, event)) onMove(event.key === 'ArrowUp' ? -1 : 1)
    else if (isPressed(nextSubtask, event)) onNext()
    else if (isPressed(removeSubtask, event) && draft.value === '' && !event.repeat) onRemove()
    else return
    event.preventDefault()
  }
  return (
    <li className={rowLook}>
      <Checkbox
        aria-label={subtask.title}
        checked={subtask.completed === 1}
        onChange={(event) => actions.setCompleted(subtask, event.currentTarget.checked)}
        className="mt-2 pointer-coarse:mt-3"
      />
      <span className="min-w-0 grow">
        <textarea
          data-subtask
          rows={1}
          aria-label="Subtask"
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          dir="auto"
          enterKeyHint="next"
          autoComplete="off"
          value={draft.value}
          onChange={({ currentTarget }) => draft.change(currentTarget.value.replaceAll(/[\r\n]+/g, ' '))}
          onKeyDown={pressKey}
          onFocus={() => setEditing(true)}
          onBlur={({ currentTarget }) => {
            draft.leave()
            // The window lost the focus, and the field will get it back.
            if (document.activeElement === currentTarget) return
            setEditing(false)
          }}
          className={cn(fieldLook, subtask.completed === 1 && 'text-ink-3 line-through')}
        />
        {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
      </span>
      <span className="mt-0.5 -mr-2 flex pointer-coarse:mt-0 pointer-coarse:-mr-3.5">
        <Button
          variant="icon"
          aria-label={`Details of subtask ${subtask.title}`}
          onClick={() => actions.open(subtask)}
          className={actionLook}
        >
          <ChevronRight className="rtl:rotate-180" />
        </Button>
        <Button
          variant="icon"
          aria-label={`Delete subtask ${subtask.title}`}
          onClick={onRemove}
          className={actionLook}
        >
          <X />
        </Button>
      </span>
    </li>
  )
}

interface NewSubtaskProps {
  ref: RefObject<HTMLInputElement | null>
  /** Whether the field stands between subtasks. It stays there only while it is used. */
  isAmong: boolean
  add(title: string): Promise<boolean>
  onLeave(): void
  /** Moves the focus to the previous subtask. */
  onBack(): void
}

function NewSubtask({ ref, isAmong, add, onLeave, onBack }: NewSubtaskProps) {
  const [title, setTitle] = useState('')
  /** The text that is not added yet. A ref, because an event may read it before the next render. */
  const unsaved = useRef('')
  const problemId = useId()
  const text = title.trim()
  const problem = text === '' ? undefined : titleProblem(text)
  const addTyped = async () => {
    if (unsaved.current === '' || text === '' || problem !== undefined) return
    unsaved.current = ''
    setTitle('')
    if (!(await add(text))) setTitle((typed) => (typed === '' ? text : typed))
  }
  useBeforeLeaving(() => void addTyped())
  return (
    <li className={rowLook}>
      <span className="mt-2 grid size-5 shrink-0 place-items-center text-ink-3 pointer-coarse:mt-3">
        <Plus size={16} />
      </span>
      <span className="min-w-0 grow">
        <input
          ref={ref}
          aria-label="Add a subtask"
          placeholder={isAmong ? undefined : 'Add a subtask'}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          dir="auto"
          enterKeyHint="next"
          autoComplete="off"
          value={title}
          onChange={({ currentTarget: { value } }) => {
            unsaved.current = value
            setTitle(value)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (isPressed(nextSubtask, event)) void addTyped()
            else if (isPressed(removeSubtask, event) && title === '' && !event.repeat) onBack()
            else return
            event.preventDefault()
          }}
          onBlur={(event) => {
            // The window lost the focus, and the field will get it back.
            if (document.activeElement === event.currentTarget) return
            void addTyped()
            onLeave()
          }}
          className={fieldLook}
        />
        {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
      </span>
    </li>
  )
}
