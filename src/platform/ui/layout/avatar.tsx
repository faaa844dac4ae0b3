import { Avatar as Primitive } from 'radix-ui'
import { cn } from '../class-names.ts'

interface AvatarProps {
  name: string
  image?: string | null
  className?: string
}

/** The picture, or the first letter of the name, or 'U'. Decorative: the name is next to it as text. */
export function Avatar({ name, image, className }: AvatarProps) {
  return (
    <Primitive.Root
      aria-hidden="true"
      className={cn(
        'inline-grid size-7 shrink-0 select-none place-items-center overflow-hidden rounded-full bg-accent-soft text-small font-semibold text-accent',
        className,
      )}
    >
      {image && <Primitive.Image src={image} alt="" className="size-full object-cover" />}
      <Primitive.Fallback>{firstLetter(name)}</Primitive.Fallback>
    </Primitive.Root>
  )
}

function firstLetter(name: string): string {
  const [letter] = name.trim()
  return letter?.toLocaleUpperCase() ?? 'U'
}
