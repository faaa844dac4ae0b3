import { cn } from '../class-names.ts'

const colors = {
  1: 'bg-list-1',
  2: 'bg-list-2',
  3: 'bg-list-3',
  4: 'bg-list-4',
  5: 'bg-list-5',
  6: 'bg-list-6',
}

/**
 * A colored dot. The color must never be the only difference between two things: place it beside a name, or have its name
 * read out.
 */
export function ColorCircle({ color, className }: { color: keyof typeof colors; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'base:size-2 shrink-0 rounded-full forced-colors:[forced-color-adjust:none]',
        colors[color],
        className,
      )}
    />
  )
}
