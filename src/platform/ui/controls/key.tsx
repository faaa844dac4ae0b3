import { Fragment, memo, type ReactNode } from 'react'
import { keyNamesOf, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { cn } from '../class-names.ts'

/** The keys of a shortcut, each in a small box. Hidden on touch screens, which mostly have no keyboard. */
export const Keys = memo(function Keys({ of, className }: { of: Shortcut; className?: string }) {
  return (
    <span className={cn('base:inline-flex items-center gap-1 pointer-coarse:base:hidden', className)}>
      {keyNamesOf(of).map(({ shown, spoken }, place) => (
        <Fragment key={shown}>
          {of.after !== undefined && place > 0 && <span className="text-small text-ink-3">then</span>}
          <Key>
            {shown === spoken ? (
              shown
            ) : (
              <>
                <span aria-hidden="true">{shown}</span>
                <span className="sr-only">{spoken}</span>
              </>
            )}
          </Key>
        </Fragment>
      ))}
    </span>
  )
})

/** A shortcut's keys, followed by what it does. */
export function Hint({ of, words }: { of: Shortcut; words: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Keys of={of} />
      {words}
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
