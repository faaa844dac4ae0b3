import { useState } from 'react'
import { cn } from '../class-names.ts'

interface AvatarProps {
  name: string
  image?: string | null
  className?: string
}

/** The person's picture, or the first letter of the name, or 'U'. Decorative: the name is next to it as text. */
export function Avatar({ name, image, className }: AvatarProps) {
  const [loaded, setLoaded] = useState<string>()
  const [failed, setFailed] = useState<string>()
  const isLoaded = loaded !== undefined && loaded === image
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-grid base:size-7 shrink-0 select-none place-items-center overflow-hidden rounded-full bg-accent-soft base:text-small font-semibold text-accent',
        className,
      )}
    >
      {image && image !== failed && (
        <img
          src={image}
          alt=""
          onLoad={() => setLoaded(image)}
          onError={() => setFailed(image)}
          className={cn('size-full object-cover', !isLoaded && 'hidden')}
        />
      )}
      {/* Also shown when the picture cannot be loaded. */}
      {!isLoaded && <span>{firstLetter(name)}</span>}
    </span>
  )
}

function firstLetter(name: string): string {
  const [letter] = name.trim()
  return letter?.toLocaleUpperCase() ?? 'U'
}
