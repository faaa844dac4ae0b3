import { useState } from 'react'
import { tagKey, tagSchema } from '#features/todos/todo/tags.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from '#platform/ui/overlays/dialog.tsx'
import { useAllTagged } from './use-all-tagged.ts'
import { useTagExists } from './use-tag-exists.ts'

interface TagDialogProps {
  open: boolean
  tag: string
  onClose(): void
}

interface RenameTagDialogProps extends TagDialogProps {
  /** `joins`: whether the new name belongs to another tag; undefined if that is not known. */
  rename(to: string, joins: boolean | undefined): void
}

export function RenameTagDialog({ open, onClose, ...form }: RenameTagDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent>
        <DialogTitle>Rename Tag</DialogTitle>
        <DialogDescription>On all tasks that have it, completed ones too.</DialogDescription>
        <RenameForm {...form} />
      </DialogContent>
    </Dialog>
  )
}

function RenameForm({ tag, rename }: Omit<RenameTagDialogProps, 'open' | 'onClose'>) {
  const draft = useDraft(tag)
  const exists = useTagExists()
  const [asking, setAsking] = useState(false)
  const [hasTried, setHasTried] = useState(false)
  const { data: to, error } = tagSchema.safeParse(draft.value.trim().replace(/^#+/, ''))
  const isItself = to !== undefined && tagKey(to) === tagKey(tag)
  const joins = to !== undefined && !isItself && exists.now(to) === true
  const problem = error?.issues[0]?.message
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        setHasTried(true)
        if (to === undefined || asking) return
        if (isItself) return rename(to, false)
        setAsking(true)
        const willJoin = await exists.soon(to)
        setAsking(false)
        // Do not join two tags before the person has read that they become one.
        if (!willJoin || joins) rename(to, willJoin)
      }}
      className="mt-6"
    >
      <Field
        label="Tag"
        error={hasTried || draft.value.trim() !== '' ? problem : undefined}
        hint={joins ? `#${to} is in use: the two become one, which can't be undone.` : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.value}
            onChange={(event) => draft.change(event.currentTarget.value)}
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" busy={asking}>
          {joins ? 'Join Tags' : 'Rename'}
        </Button>
      </DialogFooter>
    </form>
  )
}

interface RemoveTagDialogProps extends TagDialogProps {
  /** `tagged`: all tasks that have the tag, if they are known. */
  remove(tagged: readonly Todo[] | undefined): void
}

export function RemoveTagDialog({ open, tag, onClose, remove }: RemoveTagDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent role="alertdialog">
        <DialogTitle>
          Remove <bdi>#{tag}</bdi> everywhere?
        </DialogTitle>
        <RemoveForm tag={tag} remove={remove} />
      </DialogContent>
    </Dialog>
  )
}

function RemoveForm({ tag, remove }: Pick<RemoveTagDialogProps, 'tag' | 'remove'>) {
  const tagged = useAllTagged(tag)
  return (
    <>
      <DialogDescription>
        All tasks lose this tag, completed ones too. The tasks stay.
        {tagged === undefined && " This can't be undone."}
      </DialogDescription>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button variant="destroy" onClick={() => remove(tagged)}>
          Remove Tag
        </Button>
      </DialogFooter>
    </>
  )
}
