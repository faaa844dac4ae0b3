import { type ReactNode, useRef, useState } from 'react'
import { usePhone } from '#platform/browser/device/phone.ts'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { cn } from '#platform/ui/class-names.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { toggleSidebar } from '../shortcuts/shell-shortcuts.ts'
import { Sidebar } from '../sidebar/sidebar.tsx'
import { readSidebarOpen, sidebarCookie } from '../sidebar/sidebar-cookie.ts'
import { TopBar } from './top-bar.tsx'

/** The layout of every signed-in page: sidebar, top bar, content. */
export function Shell({ userMenu, children }: { userMenu: ReactNode; children: ReactNode }) {
  const phone = usePhone()
  const [sidebarOpen, setSidebarOpen] = useState(() => readSidebarOpen(document.cookie))
  const [sheetOpen, setSheetOpen] = useState(false)
  const SidebarSheet = usePart(LazySidebarSheet, sheetOpen)
  const PhoneBars = usePart(LazyPhoneBars, phone)
  const aside = useRef<HTMLElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const content = useRef<HTMLElement>(null)

  const toggle = () => {
    // While the sheet is still loading, a second press does not cancel its opening.
    if (phone) return setSheetOpen(!SidebarSheet || !sheetOpen)
    // Otherwise the focus would disappear together with the sidebar.
    if (aside.current?.contains(document.activeElement)) toggleButton.current?.focus()
    setSidebarOpen(!sidebarOpen)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there over plain http
    document.cookie = sidebarCookie(!sidebarOpen)
  }
  const keys = useShortcut(toggleSidebar, toggle)

  // A rotated phone may become wide enough for the sidebar.
  if (!phone && sheetOpen) setSheetOpen(false)

  return (
    // `--sidebar`: its width, for what stands at a place of the window and not of the page.
    <div
      className={cn(
        'flex min-h-dvh',
        phone || !sidebarOpen ? '[--sidebar:0px]' : '[--sidebar:min(16rem,40vw)]',
      )}
    >
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 not-focus:sr-only rounded-control bg-raised px-4 py-2 text-control font-medium shadow-2"
      >
        Skip to content
      </a>
      {phone ? (
        SidebarSheet && (
          <SidebarSheet
            open={sheetOpen}
            onOpenChange={setSheetOpen}
            onClosed={() => {
              // After navigation, the new page's heading already has the focus.
              if (!content.current?.contains(document.activeElement)) toggleButton.current?.focus()
            }}
          >
            {userMenu}
          </SidebarSheet>
        )
      ) : (
        <aside
          ref={aside}
          aria-label="Sidebar"
          inert={!sidebarOpen}
          className={cn(
            'sticky top-0 h-dvh w-[min(16rem,40vw)] shrink-0 overflow-y-auto bg-sunken shadow-[inset_-1px_0_var(--line)]',
            'transition-[margin,visibility] duration-180 ease-calm',
            !sidebarOpen && 'invisible -ml-[min(16rem,40vw)]',
          )}
        >
          <Sidebar>{userMenu}</Sidebar>
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar open={phone ? sheetOpen : sidebarOpen} onToggle={toggle} keys={keys} toggle={toggleButton} />
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className="flex-1 px-8 pt-4 pb-14 outline-none max-md:px-4 max-md:pt-2 max-md:pb-4"
        >
          {children}
        </main>
        {phone && PhoneBars && <PhoneBars />}
      </div>
    </div>
  )
}

const LazySidebarSheet = lazyPart(
  () => import('../sidebar/sidebar-sheet.tsx'),
  'SidebarSheet',
  'after the screen',
)
const LazyPhoneBars = lazyPart(() => import('./phone-bars.tsx'), 'PhoneBars', 'with the screen')
