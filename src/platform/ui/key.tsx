import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import { keyNamesOf, type Shortcut } from './shortcuts.ts'

/** The keys of a shortcut, each in its small box. A touch screen mostly has no keys, so there they are not shown. */
export function Keys({ of, className }: { of: Shortcut; className?: string }) {
  return (
    <span className={cn('inline-flex gap-1 pointer-coarse:hidden', className)}>
      {keyNamesOf(of).map(({ shown, spoken }) => (
        <Key key={shown}>
          {shown === spoken ? (
            shown
          ) : (
            <>
              <span aria-hidden="true">{shown}</span>
              <span className="sr-only">{spoken}</span>
            </>
          )}
        </Key>
      ))}
    </span>
  )
}

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="relative inline-grid h-5 min-w-5 place-items-center rounded-box border border-line bg-paper px-1 font-sans text-small font-medium whitespace-nowrap text-ink-2">
      {children}
    </kbd>
  )
}
