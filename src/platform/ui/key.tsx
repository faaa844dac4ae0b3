import { cn } from './class-names.ts'

/** The small box of a key to press. Touch has no keys, so it is not shown there. */
export function Key({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cn(
        'inline-grid h-5 min-w-5 place-items-center rounded-box border border-line bg-paper px-1 font-sans text-small font-medium text-ink-2 pointer-coarse:hidden',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
