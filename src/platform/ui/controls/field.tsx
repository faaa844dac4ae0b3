import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cn } from '../class-names.ts'

interface FieldProps {
  label: string
  /** The error, shown under the control. */
  error?: string
  /** Shown under the control while there is no error. */
  hint?: string
  required?: boolean
  /** Shows '(optional)' beside the label, for forms whose fields are mostly required. */
  optional?: boolean
  className?: string
  /** Renders the control; the passed attributes link it to its label and messages. */
  children: (control: FieldControl) => ReactNode
}

interface FieldControl {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
  'aria-required': boolean | undefined
}

export function Field({ label, error, hint, required, optional, className, children }: FieldProps) {
  const id = useId()
  const messageId = `${id}-message`
  const message = error ?? hint
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-2 block text-control font-medium text-ink">
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
        {optional && <span className="font-normal text-ink-3"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': message ? messageId : undefined,
        'aria-required': required || undefined,
      })}
      {message && (
        <p
          id={messageId}
          className={cn('mt-2 flex gap-1.5', error ? 'text-control text-danger' : 'text-small text-ink-3')}
        >
          {error && <CircleAlert size={14} className="mt-[3px] shrink-0" />}
          <span className="min-w-0">{message}</span>
        </p>
      )}
    </div>
  )
}
