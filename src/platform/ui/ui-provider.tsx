import { LucideProvider } from 'lucide-react'
import type { ReactNode } from 'react'

/** Once around the app: icons of 16 px with a line of 1.5 px whatever their size. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <LucideProvider size={16} strokeWidth={1.5} absoluteStrokeWidth>
      {children}
    </LucideProvider>
  )
}
