import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { type Trouble, troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import type { Failure } from '#platform/wire/failure.ts'
import type { User } from '../account.ts'
import { keepAccount } from './account-on-device.ts'
import type { AuthAnswer } from './auth-calls.ts'
import { finishSignOut, forgetPendingSignOut } from './pending-sign-out.ts'
import { useRereadSession } from './session.ts'

interface AccountFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** In the order of the screen. */
  names: readonly Path<Values>[]
  send: (values: Values) => Promise<AuthAnswer>
  /** Once it is done and the screens know who is signed in; those that sign in leave the page by that alone. */
  onDone?: (values: Values, user: User | undefined) => void
  submitLabel: string
  submittingLabel: string
  /** The fields. */
  children?: ReactNode
}

/** What the forms of an account share: sending, failing, and reading again who is signed in. */
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
  const [refusal, setRefusal] = useState<{ reason?: string }>()
  const underWay = useRef(false)
  const returnFocus = useRef<() => void>(undefined)

  useEffect(() => {
    // A disabled field loses the focus and cannot take it: it comes back when sending has ended.
    if (!sending) returnFocus.current?.()
  }, [sending])

  const submit = form.handleSubmit(async (values) => {
    // Two presses may come before the screen shows the first.
    if (underWay.current) return
    underWay.current = true
    const { activeElement } = document
    returnFocus.current = () => activeElement instanceof HTMLElement && activeElement.focus()
    setRefusal(undefined)
    setSending(true)
    // What signs in here gives another cookie, and the one of before could not be ended any more.
    await finishSignOut()
    const answer = await send(values)
    if (answer.ok) {
      if (answer.user) {
        forgetPendingSignOut()
        keepAccount(answer.user)
      }
      await rereadSession()
      onDone?.(values, answer.user)
    } else {
      showFailure(answer)
    }
    setSending(false)
    underWay.current = false
  })

  const showFailure = ({ failure, trouble }: { failure: Failure | undefined; trouble: Trouble }) => {
    console.warn(`${submitLabel} failed`, failure)
    const refused = names.filter((name) => failure?.fields?.[name])
    for (const name of refused) form.setError(name, { type: 'server', message: failure?.fields?.[name] })
    const [first] = refused
    if (first) returnFocus.current = () => form.setFocus(first)
    // Under its field it says what is wrong.
    setRefusal({ reason: first ? undefined : (failure?.message ?? troubleInWords(trouble)) })
  }

  return (
    <form noValidate onSubmit={submit}>
      <fieldset disabled={sending} className="grid gap-5">
        {children}
      </fieldset>
      {refusal && (
        <div
          role="alert"
          className="mt-5 flex gap-2 rounded-control bg-danger-soft p-3 text-control text-danger"
        >
          <CircleAlert className="mt-0.5 shrink-0" />
          <div className="min-w-0 text-pretty wrap-anywhere">
            <p>An unexpected error occurred. Please try again.</p>
            {refusal.reason && <p className="font-medium">{refusal.reason}</p>}
          </div>
        </div>
      )}
      <Button type="submit" busy={sending} className="mt-7 w-full">
        {sending ? submittingLabel : submitLabel}
      </Button>
    </form>
  )
}
