import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Sheet, SheetContent } from '#platform/ui/overlays/sheet.tsx'
import { Sidebar } from './sidebar.tsx'

interface SidebarSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called after closing, to move the focus. */
  onClosed: () => void
  /** The user menu. */
  children: ReactNode
}

/** The sidebar on a phone. It closes when one of its links is followed, or when something in it navigates. */
export function SidebarSheet({ open, onOpenChange, onClosed, children }: SidebarSheetProps) {
  const router = useRouter()
  const close = useEffectEvent(() => onOpenChange(false))
  useEffect(() => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && close()), [router])
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        label="Sidebar"
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('a')) onOpenChange(false)
        }}
        onEscapeKeyDown={(event) => {
          // Escape first closes a field that is open in the sheet.
          if (event.target instanceof Element && event.target.closest('form')) event.preventDefault()
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
