import { Calendar, Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { isPressed, useShortcut } from '#platform/browser/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { useMenuButton } from '#platform/ui/overlays/menu-button.ts'
import { type ChosenDue, DueChip, dayOfChoice } from './due-choice.tsx'
import { TitleProblem } from './title-problem.tsx'
import { newTask, saveTask } from './todo-shortcuts.ts'
import { titleProblem } from './use-title-editor.ts'

/** `add` resolves with whether the device has stored the task; until then the button is off. */
export function TaskForm({ add }: { add: (title: string, dueDay: Day | null) => Promise<boolean> }) {
  const [title, setTitle] = useState('')
  const [due, setDue] = useState<ChosenDue>()
  const [pending, setPending] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const keys = useShortcut(newTask, () => field.current?.focus())
  const problemId = useId()
  const text = title.trim()
  // Nobody is asked for a due date before there is a task.
  const canSetDue = title !== '' || due !== undefined
  const problem = text === '' ? undefined : titleProblem(text)

  const submit = async () => {
    field.current?.focus()
    if (text === '' || problem !== undefined) return
    setPending((count) => count + 1)
    setTitle('')
    setDue(undefined)
    const kept = await add(text, dayOfChoice(due))
    setPending((count) => count - 1)
    if (kept) return
    setTitle((typed) => (typed === '' ? text : typed))
    setDue((chosen) => chosen ?? due)
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
            placeholder="Add a new task..."
            aria-label="Add a new task..."
            aria-keyshortcuts={keys}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            dir="auto"
            enterKeyHint="done"
            autoComplete="off"
            className={cn('peer', canSetDue && 'pr-10 pointer-coarse:pr-12')}
          />
          {canSetDue && <DueButton onChoose={setDue} onNamed={() => field.current?.focus()} />}
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
          onChange={setDue}
          onRemove={() => {
            setDue(undefined)
            field.current?.focus()
          }}
        />
      )}
      {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
    </form>
  )
}

interface DueButtonProps {
  onChoose(due: ChosenDue): void
  /** Called when the menu has closed after a day was chosen by name. */
  onNamed(): void
}

/** Appears with the first letter; the menu that it opens is loaded after the screen. */
function DueButton({ onChoose, onNamed }: DueButtonProps) {
  const { Menu, menu, button: ofMenu } = useMenuButton(LazyDueMenu)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <span className="absolute top-1 right-1 flex pointer-coarse:top-0 pointer-coarse:right-0">
      <Button ref={button} id={id} variant="icon" aria-label="Due date" {...ofMenu}>
        <Calendar />
      </Button>
      {Menu && <Menu {...menu} button={button} onChoose={onChoose} onNamed={onNamed} />}
    </span>
  )
}

const LazyDueMenu = lazyPart(() => import('./due-menu.tsx'), 'DueMenu', 'with the screen')
