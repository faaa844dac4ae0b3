import { cn } from '../class-names.ts'

/** The app's logo: the board that a sailor steers by in daylight. Decorative: 'Daymark' is next to it as text. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="2.4 0.5 11.2 15"
      fill="none"
      aria-hidden="true"
      className={cn('base:h-[27px] w-auto shrink-0 text-accent', className)}
    >
      <path
        d="M8 1.4 12.7 6.1 8 10.8 3.3 6.1Z"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
      />
      <path d="M8 4.3 9.8 6.1 8 7.9 6.2 6.1Z" fill="currentColor" />
      <path d="M7 10.6h2v4.2a.7.7 0 0 1-.7.7h-.6a.7.7 0 0 1-.7-.7Z" fill="currentColor" />
    </svg>
  )
}
