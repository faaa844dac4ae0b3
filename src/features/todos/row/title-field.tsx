import { useId } from 'react'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { cn } from '#platform/ui/class-names.ts'
import type { Todo } from '../todo/todo.ts'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { todoCollection } from '../todo/web/todo-queries.ts'
import type { useTitleEditor } from '../todo/web/use-title-editor.ts'

interface TitleFieldProps {
  todo: Todo
  editor: ReturnType<typeof useTitleEditor>
  className: string
}

/** The field for the title. Its frame extends outwards, so that the text stays where it was. */
export function TitleField({ todo, editor: { field, takesFocus, problem }, className }: TitleFieldProps) {
  const problemId = useId()
  useKeptWhileEdited(todoCollection, todo, true)
  return (
    <span
      className={cn(
        'col-start-2 col-end-4 row-start-1 my-1 -ml-1.5 block',
        // The buttons lie over the end of this box; below it, if the text is large for the width.
        '@min-[14em]:pr-26 @min-[14em]:pointer-coarse:pr-34',
        className,
      )}
    >
      <input
        ref={takesFocus ? focusAtEnd : undefined}
        type="text"
        aria-label="Title"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
        className="w-full rounded-box border-2 border-accent bg-raised px-1 py-0.5 text-body outline-none pointer-coarse:py-2"
        {...field}
      />
      {problem !== undefined && (
        <TitleProblem id={problemId} className="pl-1.5">
          {problem}
        </TitleProblem>
      )}
    </span>
  )
}

function focusAtEnd(field: HTMLInputElement | null) {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
