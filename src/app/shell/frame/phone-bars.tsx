import { Link, useLocation } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { FocusStrip } from '#features/focus/running/focus-strip.tsx'
import { useScreenKeyboard } from '#platform/browser/keyboard/screen-keyboard.ts'
import { cn } from '#platform/ui/class-names.ts'
import { usePart } from '#platform/ui/lazy-part.tsx'
import { mainEntries } from '../sidebar/main-entries.ts'
import { LazySubjectName } from './lazy-subject-name.ts'

const tabs = ['/today', '/todos', '/habits', '/focus', '/analytics'] as const

/** The bars at the bottom of a phone's window: the main screens, and above them the timer while it runs. */
export function PhoneBars() {
  const { pathname } = useLocation()
  const keyboard = useScreenKeyboard()
  const bars = useRef<HTMLDivElement>(null)
  const SubjectName = usePart(LazySubjectName, false)
  useHeightAsBars(bars)
  return (
    <div
      ref={bars}
      data-bars
      className={cn(
        'group/bars sticky bottom-0 z-5 bg-paper pb-[env(safe-area-inset-bottom)] shadow-[0_-1px_0_var(--line)]',
        // The hidden bars keep their space, so that nothing jumps when the keyboard comes or goes.
        keyboard && 'invisible',
      )}
    >
      {pathname !== '/focus' && (
        <FocusStrip
          always={pathname === '/today'}
          subject={(subject) => SubjectName && <SubjectName subject={subject} />}
        />
      )}
      {/* While tasks are selected, the bar with their actions replaces the navigation. */}
      <nav aria-label="Main" className="@container group-has-data-chosen-bar/bars:hidden">
        <ul className="flex [list-style-type:'']">
          {tabs.map((to) => (
            <Tab key={to} to={to} pathname={pathname} />
          ))}
        </ul>
      </nav>
    </div>
  )
}

function Tab({ to, pathname }: { to: (typeof tabs)[number]; pathname: string }) {
  const entry = mainEntries.find((each) => each.to === to)
  if (!entry) return null
  const { also, tab, icon: Icon } = entry
  return (
    <li className="flex-1">
      <Link
        to={to}
        aria-current={also === pathname ? 'page' : undefined}
        className="flex min-h-14 flex-col items-center justify-center gap-1 text-small font-medium text-ink-2 -outline-offset-2 aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent"
      >
        <Icon size={20} className="shrink-0" />
        {/* With large text on a narrow screen, only the icon is shown. */}
        <span className="@max-[18em]:sr-only">{tab}</span>
      </Link>
    </li>
  )
}

/** Sets `--bars` to the height of the bars, so that other things at the bottom of the window stay above them. */
function useHeightAsBars(bars: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bars.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--bars', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--bars')
    }
  }, [bars])
}
