import { LucideProvider } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'

/** Once around the app: icons of 16 px with a line of 1.5 px whatever their size, and the tooltips' timing. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <LucideProvider size={16} strokeWidth={1.5} absoluteStrokeWidth>
      <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
        {children}
      </Tooltip.Provider>
    </LucideProvider>
  )
}
