import { cn } from '../class-names.ts'

/** Decorative: the text next to it says what is in progress. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={cn('base:size-4 animate-spin', className)}
      fill="none"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
      <path
        d="M8 1.75A6.25 6.25 0 0 1 14.25 8"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** Fills the screen while nothing can be shown yet. `className` applies to the line of text. */
export function LoadingScreen({ className }: { className?: string }) {
  return (
    <div role="status" className="fixed inset-0 z-10 grid place-items-center bg-paper">
      <p className={cn('flex items-center gap-3 text-body text-ink-2', className)}>
        <Spinner className="size-5 text-accent" />
        Loading...
      </p>
    </div>
  )
}
