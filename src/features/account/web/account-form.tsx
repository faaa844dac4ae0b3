import { CircleAlert } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Button } from '#platform/ui/button.tsx'
import type { AuthAnswer } from './auth-calls.ts'
import { rememberAccount, useRereadSession } from './session.ts'

interface AccountFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** In the order of the screen. */
  names: readonly Path<Values>[]
  send: (values: Values) => Promise<AuthAnswer>
  submitLabel: string
  submittingLabel: string
  /** The fields. */
  children: ReactNode
}

/** What signing in and signing up share: sending, failing, and the way in (the page leaves once the session is there). */
export function AccountForm<Values extends FieldValues>({
  form,
  names,
  send,
  submitLabel,
  submittingLabel,
  children,
}: AccountFormProps<Values>) {
  const { isSubmitting } = form.formState
  const rereadSession = useRereadSession()
  const [trouble, setTrouble] = useState<{ reason?: string }>()
  const returnFocus = useRef<() => void>(undefined)

  useEffect(() => {
    // A disabled field loses the focus and cannot take it: it comes back when sending has ended.
    if (!isSubmitting) returnFocus.current?.()
    returnFocus.current = undefined
  }, [isSubmitting])

  const submit = form.handleSubmit(async (values) => {
    const { activeElement } = document
    returnFocus.current = () => activeElement instanceof HTMLElement && activeElement.focus()
    setTrouble(undefined)
    const answer = await send(values)
    if (answer.ok) {
      if (answer.user) rememberAccount(answer.user)
      return rereadSession()
    }
    console.warn(`${submitLabel} failed`, answer.failure)
    const refused = names.filter((name) => answer.failure?.fields?.[name])
    for (const name of refused)
      form.setError(name, { type: 'server', message: answer.failure?.fields?.[name] })
    const [first] = refused
    if (first) returnFocus.current = () => form.setFocus(first)
    setTrouble({ reason: first ? undefined : answer.failure?.message })
  })

  const submitOnce = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isSubmitting) void submit(event)
  }

  return (
    <form noValidate onSubmit={submitOnce}>
      <fieldset disabled={isSubmitting} className="grid gap-5">
        {children}
      </fieldset>
      {trouble && (
        <div
          role="alert"
          className="mt-5 flex gap-2 rounded-control bg-danger-soft p-3 text-control text-danger"
        >
          <CircleAlert className="mt-0.5 shrink-0" />
          <div className="min-w-0 wrap-anywhere">
            <p className="font-medium">An unexpected error occurred. Please try again.</p>
            {trouble.reason && <p>{trouble.reason}</p>}
          </div>
        </div>
      )}
      <Button type="submit" busy={isSubmitting} className="mt-7 w-full">
        {isSubmitting ? submittingLabel : submitLabel}
      </Button>
    </form>
  )
}
