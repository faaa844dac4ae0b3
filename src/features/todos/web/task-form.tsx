import { Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '#platform/ui/button.tsx'
import { Input } from '#platform/ui/input.tsx'
import { Key } from '#platform/ui/key.tsx'
import { useSingleKey } from '#platform/ui/single-keys.ts'
import { TitleProblem } from './title-problem.tsx'
import { titleProblem } from './use-title-editor.ts'

/** `add` says whether the device has kept the task; until then the button is off. */
export function TaskForm({ add }: { add: (title: string) => Promise<boolean> }) {
  const [title, setTitle] = useState('')
  const [pending, setPending] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const singleKeys = useSingleKey('n', () => field.current?.focus())
  const problemId = useId()
  const text = title.trim()
  const problem = text === '' ? undefined : titleProblem(text)

  const submit = async () => {
    field.current?.focus()
    if (text === '' || problem !== undefined) return
    setPending((count) => count + 1)
    setTitle('')
    const kept = await add(text)
    setPending((count) => count - 1)
    if (!kept) setTitle((typed) => (typed === '' ? text : typed))
  }

  // The browser submits no form whose button is off, and an Enter must not get lost for coming too soon.
  const submitMeanwhile = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || pending === 0) return
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
            aria-keyshortcuts={singleKeys ? 'N' : undefined}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            dir="auto"
            enterKeyHint="done"
            autoComplete="off"
            className="peer"
          />
          {singleKeys && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center peer-focus:invisible peer-not-placeholder-shown:invisible"
            >
              <Key>N</Key>
            </span>
          )}
        </div>
        <Button type="submit" aria-label="Add task" disabled={pending > 0} className="pl-3">
          <Plus />
          Add
        </Button>
      </div>
      {problem !== undefined && <TitleProblem id={problemId}>{problem}</TitleProblem>}
    </form>
  )
}
