import { Plus } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { usePhone } from '#platform/browser/phone.ts'
import { useScreenKeyboard } from '#platform/browser/screen-keyboard.ts'
import { isPressed, useShortcut } from '#platform/browser/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { DueButton, DueChip } from './due-choice.tsx'
import { titlesIn } from './pasted-lines.ts'
import { TitleProblem } from './title-problem.tsx'
import { newTask, saveTask } from './todo-shortcuts.ts'
import { titleProblem } from './use-title-editor.ts'

interface TaskFormProps {
  /** Resolves with whether the device has stored the task; until then the button is off. */
  add(title: string, dueDay: Day | null): Promise<boolean>
  addAll(titles: readonly string[], due: Day | null, onUndo: () => void): void
  /** Shown in the empty field, and its name. */
  prompt: string
  dueUnlessChosen?: Day | undefined
}

export function TaskForm({ add, addAll, prompt, dueUnlessChosen }: TaskFormProps) {
  const [title, setTitle] = useState('')
  const [due, setDue] = useState<Day | null>(null)
  const [pending, setPending] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const keys = useShortcut(newTask, () => field.current?.focus())
  const problemId = useId()
  const phone = usePhone()
  const keyboard = useScreenKeyboard()
  const text = title.trim()
  // Nobody is asked for a due date before there is a task.
  const canSetDue = title !== '' || due !== null
  const problem = text === '' ? undefined : titleProblem(text)

  const submit = async () => {
    field.current?.focus()
    if (text === '' || problem !== undefined) return
    setPending((count) => count + 1)
    setTitle('')
    setDue(null)
    const kept = await add(text, due ?? dueUnlessChosen ?? null)
    setPending((count) => count - 1)
    if (!kept) putBack(text, due)
  }

  const putBack = (text: string, due: Day | null) => {
    setTitle((typed) => (typed === '' ? text : typed))
    setDue((chosen) => chosen ?? due)
  }

  // The field itself would make one line of them.
  const pasteLines = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (!/\S\s*[\r\n]\s*\S/.test(pasted)) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const whole = title.slice(0, selectionStart ?? 0) + pasted + title.slice(selectionEnd ?? 0)
    const titles = titlesIn(whole)
    if (!titles) return
    setTitle('')
    setDue(null)
    // Taken back, they become the one line that the field itself would have made of them.
    addAll(titles, due ?? dueUnlessChosen ?? null, () => putBack(titles.join(' '), due))
  }

  // Browsers do not submit a form whose button is off, and an Enter pressed too early must not get lost.
  const submitMeanwhile = (event: KeyboardEvent) => {
    if (!isPressed(saveTask, event) || event.nativeEvent.isComposing || pending === 0) return
    event.preventDefault()
    void submit()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="mt-6 max-md:mt-5"
    >
      <div className="flex gap-2">
        <div className="relative flex min-w-0 flex-1">
          <Input
            ref={field}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            onKeyDown={submitMeanwhile}
            onPaste={pasteLines}
            placeholder={prompt}
            aria-label={prompt}
            aria-keyshortcuts={keys}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            dir="auto"
            enterKeyHint="done"
            autoComplete="off"
            className={cn('peer', canSetDue && 'pr-10 pointer-coarse:pr-12')}
          />
          {canSetDue && <DueButton due={due} onChoose={setDue} onChosen={() => field.current?.focus()} />}
          {keys !== undefined && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center peer-focus:invisible peer-not-placeholder-shown:invisible"
            >
              <Keys of={newTask} />
            </span>
          )}
        </div>
        <Button type="submit" aria-label="Add task" disabled={pending > 0} className="pl-3">
          <Plus />
          Add
        </Button>
      </div>
      {due && (
        <DueChip
          due={due}
          onRemove={() => {
            setDue(null)
            field.current?.focus()
          }}
        />
      )}
      {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
      {phone && !keyboard && <NewTaskButton onPress={() => field.current?.focus()} />}
    </form>
  )
}

/** Leads to the field from where the thumb is. */
function NewTaskButton({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      aria-label="New task"
      onClick={onPress}
      className="fixed right-4 bottom-[calc(var(--bars,0px)+16px)] z-5 grid size-14 place-items-center rounded-dialog bg-raised text-accent shadow-2 active:bg-hover"
    >
      <Plus size={24} />
    </button>
  )
}
