import { type LucideProps, useLucideContext } from 'lucide-react'
import { createElement } from 'react'

/** An icon in the format of `lucide-react`, in a square. */
interface IconData {
  size: number
  node: readonly [tag: string, attributes: Readonly<Record<string, string>>][]
}

/**
 * Makes the component of an icon. The build uses it instead of the package's own function, whose classes and attributes the app
 * does not use. They would cost every screen 1 KB, and a list of a hundred rows about a thousand objects.
 */
export default function drawnBy({ size: box, node }: IconData) {
  return function Icon({ size, strokeWidth, ...rest }: LucideProps) {
    const drawn = useLucideContext()
    const side = size ?? drawn.size ?? box
    const line = Number(strokeWidth ?? drawn.strokeWidth ?? 2)
    return (
      <svg
        width={side}
        height={side}
        viewBox={`0 0 ${box} ${box}`}
        fill="none"
        stroke="currentColor"
        strokeWidth={(line * box) / Number(side)}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        {...rest}
      >
        {node.map(([tag, attributes]) => createElement(tag, attributes))}
      </svg>
    )
  }
}
