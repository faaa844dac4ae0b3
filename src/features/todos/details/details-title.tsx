import { useId } from 'react'
import { useSavedDraft } from '#platform/browser/drafts/use-saved-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { cn } from '#platform/ui/class-names.ts'
import type { Todo } from '../todo/todo.ts'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { saveTask } from '../todo/web/todo-shortcuts.ts'
import { titleProblem } from '../todo/web/use-title-editor.ts'

interface DetailsTitleProps {
  todo: Todo
  rename(title: string): void
}

/** The title, which is saved while the person types. It wraps like text, but has no line breaks. */
export function DetailsTitle({ todo, rename }: DetailsTitleProps) {
  const mayBe = (text: string) => titleProblem(text.trim()) === undefined
  const draft = useSavedDraft(todo.title, {
    mayBe,
    save: (text) => rename(text.trim()),
    keeper: useDraftKeeper(`title of ${todo.id}`),
  })
  const problemId = useId()
  const problem = titleProblem(draft.value.trim())
  return (
    <div className="min-w-0 grow">
      <textarea
        rows={1}
        aria-label="Title"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
        value={draft.value}
        onChange={({ currentTarget }) => draft.change(currentTarget.value.replaceAll(/[\r\n]+/g, ' '))}
        onKeyDown={(event) => {
          if (!isPressed(saveTask, event) || event.nativeEvent.isComposing) return
          event.preventDefault()
          draft.leave()
        }}
        onBlur={draft.leave}
        className={cn(
          'field-sizing-content -mx-1.5 block w-[calc(100%+12px)] resize-none rounded-box px-1.5 text-heading outline-offset-0 wrap-anywhere',
          todo.completed === 1 && 'text-ink-3 line-through',
        )}
      />
      {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
    </div>
  )
}
