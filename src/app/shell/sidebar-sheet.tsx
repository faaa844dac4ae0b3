import type { ReactNode } from 'react'
import { Sheet, SheetContent } from '#platform/ui/overlays/sheet.tsx'
import { Sidebar } from './sidebar.tsx'

interface SidebarSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Moves the focus. */
  onClosed: () => void
  /** The user menu. */
  children: ReactNode
}

/** The sidebar on a phone. It closes when one of its links is followed. */
export function SidebarSheet({ open, onOpenChange, onClosed, children }: SidebarSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        label="Sidebar"
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('a')) onOpenChange(false)
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        <Sidebar>{children}</Sidebar>
      </SheetContent>
    </Sheet>
  )
}
