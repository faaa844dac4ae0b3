import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { FocusStrip } from '#features/focus/running/focus-strip.tsx'
import { useScreenKeyboard } from '#platform/browser/keyboard/screen-keyboard.ts'
import { cn } from '#platform/ui/class-names.ts'
import { useHeightAs } from '#platform/ui/layout/use-height-as.ts'
import { usePart } from '#platform/ui/lazy-part.tsx'
import { keepToastsOff } from '#platform/ui/toasts/toast-obstacles.ts'
import { mainEntries } from '../sidebar/main-entries.ts'
import { useDockAboveKeyboard } from './dock-above-keyboard.ts'
import { LazySubjectName } from './lazy-subject-name.ts'

const tabs = ['/today', '/todos', '/habits', '/focus', '/analytics'] as const

/** The bars at the bottom of a phone's window: the main screens, and above them the timer while it runs. */
export function PhoneBars() {
  const { pathname } = useLocation()
  const keyboard = useScreenKeyboard()
  const bars = useRef<HTMLDivElement>(null)
  const SubjectName = usePart(LazySubjectName, false)
  useHeightAs('--bars', bars)
  useDockAboveKeyboard(keyboard)
  useEffect(() => keepToastsOff(bars.current), [])
  return (
    <div
      ref={bars}
      data-bars
      className={cn(
        'sticky bottom-0 z-5 bg-paper pb-[env(safe-area-inset-bottom)] not-has-data-chosen-bar:shadow-[0_-1px_0_var(--line)]',
        // While tasks are selected, the bar with their actions replaces everything else.
        'has-data-chosen-bar:*:not-has-data-chosen-bar:hidden',
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
      {/* The dock of the field for a new task stands here. */}
      <div className="h-(--dock,0px)" />
      <nav aria-label="Main" className="@container">
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
        className="flex min-h-(--tabs) flex-col items-center justify-center gap-1 text-small sideways:flex-row sideways:gap-2 font-medium text-ink-2 -outline-offset-2 aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent"
      >
        <Icon size={20} className="shrink-0" />
        {/* With large text on a narrow screen, only the icon is shown. */}
        <span className="@max-[18em]:sr-only">{tab}</span>
      </Link>
    </li>
  )
}
