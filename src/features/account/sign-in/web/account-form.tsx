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
  /** The fields' names, in the order of the screen. */
  names: readonly Path<Values>[]
  send: (values: Values) => Promise<AuthResponse>
  /**
   * Called after the request succeeded and the screens know who is signed in. Sign-in forms need no `onDone`: they leave the page
   * as soon as somebody is signed in.
   */
  onDone?: (values: Values, user: User | undefined) => void
  submitLabel: string
  submittingLabel: string
  /** The form's fields. */
  children?: ReactNode
}

/** The common parts of the account forms: sending, showing failures, and reading the session again. */
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
    // A disabled field loses the focus and cannot take it, so restore the focus when sending has ended.
    if (!sending) returnFocus.current?.()
  }, [sending])

  const submit = form.handleSubmit(async (values) => {
    // A second press may come before the screen has disabled the form.
    if (isSending.current) return
    isSending.current = true
    const { activeElement } = document
    returnFocus.current = () => activeElement instanceof HTMLElement && activeElement.focus()
    setError(undefined)
    setSending(true)
    // Finish a pending sign-out first: signing in replaces the cookie, after which the earlier session could no longer be ended.
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
    // Do not repeat a message that is already shown below its field.
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
