import type { ReactNode } from 'react'

interface DataRowProps {
  label: string
  hint: string
  action: ReactNode
}

/** Text on the left and a button on the right, or below the text where space is narrow. */
export function DataRow({ label, hint, action }: DataRowProps) {
  return (
    <div className="grid items-center gap-x-6 gap-y-2 py-3 shadow-[inset_0_1px_0_var(--line)] @[28rem]:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="font-medium text-control">{label}</p>
        <p className="text-ink-3 text-small">{hint}</p>
      </div>
      <div>{action}</div>
    </div>
  )
}
