import { useState } from 'react'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogTitle,
  useFocusReturn,
} from '#platform/ui/overlays/dialog.tsx'
import { problemOfListName } from '../list/web/list-name-problem.tsx'

interface RenameDialogProps {
  open: boolean
  name: string
  onClose(): void
  save(name: string): void
}

/** Renames a list on its own page, where the name is the heading. */
export function RenameDialog({ open, name, onClose, save }: RenameDialogProps) {
  const focusReturn = useFocusReturn()
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent {...focusReturn}>
        <DialogTitle>Rename List</DialogTitle>
        <RenameForm
          name={name}
          save={(chosen) => {
            save(chosen)
            onClose()
          }}
        />
      </DialogContent>
    </Dialog>
  )
}

function RenameForm({ name, save }: Pick<RenameDialogProps, 'name' | 'save'>) {
  const draft = useDraft(name)
  const [hasTried, setHasTried] = useState(false)
  const problem = problemOfListName(draft.value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setHasTried(true)
        if (problem === undefined) save(draft.value.trim() === draft.from ? name : draft.value.trim())
      }}
      className="mt-6"
    >
      <Field label="Name" error={hasTried || draft.value.trim() !== '' ? (problem ?? '') : ''}>
        {(control) => (
          <Input
            {...control}
            value={draft.value}
            onChange={(event) => draft.change(event.currentTarget.value)}
            dir="auto"
            autoComplete="off"
          />
        )}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit">Save</Button>
      </DialogFooter>
    </form>
  )
}
