import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useRef, useState } from 'react'
import { OwnEmail } from '#features/account/password/web/own-email.tsx'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { forgetOnThisDevice } from '#features/account/session/web/forget-on-this-device.ts'
import { useEndSession, useHoldSession, useRereadSession } from '#features/account/session/web/session.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { accountDeletionSchema } from '#features/account/sign-in/account.ts'
import { pauseReading } from '#platform/sync/account/erase-account.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { PasswordInput } from '#platform/ui/controls/password-input.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
  DialogTrigger,
} from '#platform/ui/overlays/dialog.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'

/**
 * The button and the final question. The dialog asks for the password, so that nobody else can delete the account in a browser
 * left open.
 */
export function DeleteAccount({ user }: { user: User }) {
  const text = useId()
  const [open, setOpen] = useState(false)
  const [deleting, setDeleting] = useState(false)
  return (
    // A deletion in progress cannot be cancelled: closing the dialog would look as if it could.
    <Dialog open={open} onOpenChange={(next) => !deleting && setOpen(next)}>
      <DialogTrigger asChild>
        <Button variant="danger">Delete Account</Button>
      </DialogTrigger>
      <DialogContent role="alertdialog" aria-describedby={text}>
        <DialogTitle>Are you absolutely sure?</DialogTitle>
        <DialogDescription id={text}>
          This action cannot be undone. This will permanently delete your account and remove all of your data
          from our servers.
        </DialogDescription>
        <DeleteAccountForm user={user} deleting={deleting} onDeleting={setDeleting} />
      </DialogContent>
    </Dialog>
  )
}

interface DeleteAccountFormProps {
  user: User
  deleting: boolean
  onDeleting(deleting: boolean): void
}

function DeleteAccountForm({ user, deleting, onDeleting }: DeleteAccountFormProps) {
  const navigate = useNavigate()
  const rereadSession = useRereadSession()
  const endSession = useEndSession()
  const holdSession = useHoldSession()
  const showFailure = useFailureToast()
  const [problem, setProblem] = useState<string>()
  const password = useRef<HTMLInputElement>(null)

  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    if (deleting) return
    const typed = accountDeletionSchema.shape.password.safeParse(password.current?.value)
    if (!typed.success) return sayAtField(typed.error.issues[0]?.message)

    setProblem(undefined)
    onDeleting(true)
    // Another tab may find the account gone before this tab has the response, so pause all reading until then.
    const resumeReading = pauseReading(user.id)
    const releaseSession = holdSession()
    const response = await deleteAccount(user.id, typed.data)
    if (response.ok) return leave(releaseSession)
    releaseSession()
    resumeReading()
    onDeleting(false)
    showFailure('Failed to delete account', response)
    const { failure } = response
    // The message at the field stays after the toast has gone, and shows where to try again.
    if (failure?.code === 'INVALID_PASSWORD') sayAtField(failure.message)
  }

  const sayAtField = (message: string | undefined) => {
    setProblem(message)
    password.current?.select()
  }

  const leave = async (releaseSession: () => void) => {
    try {
      // Navigate first: otherwise the signed-out screen would redirect to sign-in.
      await endSession(() => navigate({ to: '/' }))
    } finally {
      await forgetOnThisDevice(user)
      releaseSession()
      await rereadSession()
      toast.success('Account deleted successfully')
    }
  }

  return (
    <form noValidate onSubmit={confirm}>
      <OwnEmail user={user} />
      <Field
        label="Password"
        hint="Enter your password to confirm it's you."
        error={problem}
        className="mt-5"
      >
        {(control) => <PasswordInput {...control} ref={password} autoComplete="current-password" />}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary" disabled={deleting}>
            Cancel
          </Button>
        </DialogClose>
        <Button type="submit" variant="destroy" busy={deleting}>
          Yes, delete my account
        </Button>
      </DialogFooter>
    </form>
  )
}

function deleteAccount(account: string, password: string): Promise<AuthResponse> {
  return post('/api/auth/delete-user', { callbackURL: '/', password }, account)
}
