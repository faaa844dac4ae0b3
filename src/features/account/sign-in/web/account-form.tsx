import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, type Failed, reasonOf } from '#features/account/session/web/auth-request.ts'
import { finishSignOut, forgetPendingSignOut } from '#features/account/session/web/pending-sign-out.ts'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { storeAccount } from '#features/account/session/web/stored-account.ts'
import { Button } from '#platform/ui/controls/button.tsx'

interface AccountFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** In the order of the screen. */
  names: readonly Path<Values>[]
  send: (values: Values) => Promise<AuthResponse>
  /** Called once it is done and the screens know who is signed in; that alone makes sign-in forms leave the page. */
  onDone?: (values: Values, user: User | undefined) => void
  submitLabel: string
  submittingLabel: string
  /** The fields. */
  children?: ReactNode
}

/** What the account forms share: sending, failing, and reading again who is signed in. */
export function AccountForm<Values extends FieldValues>({
  form,
  names,
  send,
  onDone,
  submitLabel,
  submittingLabel,
  children,
}: AccountFormProps<Values>) {
  const rereadSession = useRereadSession()
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<{ reason?: string }>()
  const isSending = useRef(false)
  const returnFocus = useRef<() => void>(undefined)

  useEffect(() => {
    // A disabled field loses the focus and cannot take it: it is restored once sending has ended.
    if (!sending) returnFocus.current?.()
  }, [sending])

  const submit = form.handleSubmit(async (values) => {
    // A second press may come before the screen shows the first.
    if (isSending.current) return
    isSending.current = true
    const { activeElement } = document
    returnFocus.current = () => activeElement instanceof HTMLElement && activeElement.focus()
    setError(undefined)
    setSending(true)
    // Signing in here replaces the cookie, and the earlier session could then no longer be ended.
    await finishSignOut()
    const response = await send(values)
    if (response.ok) {
      if (response.user) {
        forgetPendingSignOut()
        storeAccount(response.user)
      }
      await rereadSession()
      onDone?.(values, response.user)
    } else {
      showFailure(response)
    }
    setSending(false)
    isSending.current = false
  })

  const showFailure = (failed: Failed) => {
    const { failure } = failed
    console.warn(`${submitLabel} failed`, failure)
    const refused = names.filter((name) => failure?.fields?.[name])
    for (const name of refused) form.setError(name, { type: 'server', message: failure?.fields?.[name] })
    const [first] = refused
    if (first) returnFocus.current = () => form.setFocus(first)
    // The message is already shown below its field.
    setError({ reason: first ? undefined : reasonOf(failed) })
  }

  return (
    <form noValidate onSubmit={submit}>
      <fieldset disabled={sending} className="grid gap-5">
        {children}
      </fieldset>
      {error && (
        <div
          role="alert"
          className="mt-5 flex gap-2 rounded-control bg-danger-soft p-3 text-control text-danger"
        >
          <CircleAlert className="mt-0.5 shrink-0" />
          <div className="min-w-0 text-pretty wrap-anywhere">
            <p>An unexpected error occurred. Please try again.</p>
            {error.reason && <p className="font-medium">{error.reason}</p>}
          </div>
        </div>
      )}
      <Button type="submit" busy={sending} className="mt-7 w-full">
        {sending ? submittingLabel : submitLabel}
      </Button>
    </form>
  )
}
