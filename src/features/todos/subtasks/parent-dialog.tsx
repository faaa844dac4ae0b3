import { type RefObject, useState } from 'react'
import { Input } from '#platform/ui/controls/input.tsx'
import { Dialog, DialogContent, DialogTitle, useFocusReturn } from '#platform/ui/overlays/dialog.tsx'
import type { Todo } from '../todo/todo.ts'

interface ParentDialogProps {
  open: boolean
  /** The tasks that can become the parent. */
  candidates: readonly Todo[]
  onChoose(parent: Todo): void
  onClose(): void
  /** The element to focus after closing, because the menu that opened the dialog is gone. */
  opener: RefObject<HTMLElement | null>
}

/** How many tasks are offered at once; typing narrows them down. */
const mostOffered = 50

/** Lets the person choose a parent for a task. */
export function ParentDialog({ open, candidates, onChoose, onClose, opener }: ParentDialogProps) {
  const focusReturn = useFocusReturn(() => opener.current)
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent {...focusReturn}>
        <DialogTitle>Make a Subtask of …</DialogTitle>
        <Candidates
          candidates={candidates}
          onChoose={(parent) => {
            onClose()
            onChoose(parent)
          }}
        />
      </DialogContent>
    </Dialog>
  )
}

function Candidates({ candidates, onChoose }: Pick<ParentDialogProps, 'candidates' | 'onChoose'>) {
  const [typed, setTyped] = useState('')
  const words = typed.trim().toLowerCase()
  const found = candidates.filter(({ title }) => title.toLowerCase().includes(words)).slice(0, mostOffered)
  return (
    <>
      <Input
        aria-label="Find a task"
        placeholder="Find a task"
        dir="auto"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        className="mt-4"
      />
      <p aria-live="polite" className="mt-3 text-control text-ink-3 empty:hidden">
        {found.length === 0 && 'No open task contains these words.'}
      </p>
      <ul aria-label="Open tasks" className="-mx-3 mt-2 max-h-[50dvh] overflow-y-auto [list-style-type:'']">
        {found.map((todo) => (
          <li key={todo.id}>
            <button
              type="button"
              dir="auto"
              onClick={() => onChoose(todo)}
              className="min-h-9 w-full rounded-control px-3 py-1.5 text-start text-control wrap-anywhere outline-offset-[-2px] hover:bg-hover pointer-coarse:min-h-11"
            >
              {todo.title}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
