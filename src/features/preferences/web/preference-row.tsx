import { type ReactNode, useId } from 'react'

interface PreferenceRowProps {
  label: string
  hint?: string
  /** Renders the control. The given attributes connect it to its label. */
  children: (control: PreferenceControl) => ReactNode
}

export interface PreferenceControl {
  'aria-labelledby': string
  'aria-describedby': string | undefined
}

/** A row with the label on the left and the control on the right, or below the label if there is little space. */
export function PreferenceRow({ label, hint, children }: PreferenceRowProps) {
  const id = useId()
  const labelId = `${id}-label`
  const hintId = `${id}-hint`
  return (
    <div className="grid items-center gap-x-6 gap-y-2 py-3 shadow-[inset_0_1px_0_var(--line)] @[28rem]:grid-cols-[minmax(0,1fr)_256px]">
      <div className="min-w-0">
        <p id={labelId} className="font-medium text-control">
          {label}
        </p>
        {hint !== undefined && (
          <p id={hintId} className="text-ink-3 text-small">
            {hint}
          </p>
        )}
      </div>
      {children({
        'aria-labelledby': labelId,
        'aria-describedby': hint === undefined ? undefined : hintId,
      })}
    </div>
  )
}
