import { LucideProvider } from 'lucide-react'
import type { ReactNode } from 'react'

/** Wrap the app in this once: icons are 16 px by default, with a 1.5 px line at any size. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <LucideProvider size={16} strokeWidth={1.5} absoluteStrokeWidth>
      {children}
    </LucideProvider>
  )
}
