/** The icon of the person's day: a square with a core. Decorative, like all icons. */
export function DaySquare({ size, className }: { size: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
      className={className}
    >
      <rect x="4" y="4" width="16" height="16" rx="4" />
      <path d="M12 9.5 14.5 12 12 14.5 9.5 12Z" fill="currentColor" stroke="none" />
    </svg>
  )
}
