import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useId, useRef } from 'react'
import { LateSidebarTime } from '#features/focus/running/late-sidebar-time.tsx'
import { usePhone } from '#platform/browser/device/phone.ts'
import { sidebarEntryLook } from '#platform/ui/layout/sidebar-entry.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { Mark } from '#platform/ui/signs/mark.tsx'
import { mainEntries } from './main-entries.ts'

/**
 * The content of the sidebar, or of the sheet on a phone, where the running time is at the bottom of the window instead.
 * `children` is the user menu at the bottom.
 */
export function Sidebar({ children }: { children: ReactNode }) {
  const phone = usePhone()
  const { pathname } = useLocation()
  const heading = useId()
  const todosEntry = useRef<HTMLAnchorElement>(null)
  const Lists = usePart(LazySidebarLists, true)
  const TodayCount = usePart(LazyTodayCount, true)
  return (
    <div className="flex min-h-full flex-col p-3">
      <Link to="/todos" className="flex items-center gap-3 self-start rounded-control pr-3 pl-2.5">
        <Mark />
        <span>
          <span className="block text-body font-semibold">Daymark</span>
          <span className="-mt-0.5 block text-small text-ink-3">Track. Focus. Achieve.</span>
        </span>
      </Link>
      <nav aria-labelledby={heading} className="mt-7.5">
        <h2 id={heading} className="px-3 text-small font-medium text-ink-2">
          Main
        </h2>
        <ul className="mt-2 grid gap-1 [list-style-type:'']">
          {mainEntries.map(({ to, also, label, icon: Icon }) => (
            <li key={to}>
              <Link
                ref={to === '/todos' ? todosEntry : undefined}
                to={to}
                aria-current={also === pathname ? 'page' : undefined}
                className={sidebarEntryLook}
              >
                <Icon size={18} className="shrink-0" />
                {label}
                {to === '/today' && TodayCount && <TodayCount />}
                {to === '/focus' && !phone && <LateSidebarTime />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {Lists && <Lists todosEntry={todosEntry} />}
      <div className="mt-auto pt-4">{children}</div>
    </div>
  )
}

// Loaded after what the screen itself needs.
const LazySidebarLists = lazyPart(() => import('./sidebar-lists.tsx'), 'SidebarLists', 'with the screen')
const LazyTodayCount = lazyPart(() => import('./today-count.tsx'), 'TodayCount', 'with the screen')
