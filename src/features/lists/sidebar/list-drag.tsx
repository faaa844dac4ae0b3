import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useEffectEvent } from 'react'

interface ListDragProps {
  id: string
  entry: RefObject<HTMLElement | null>
  /** Called when another list was dropped at an edge of this one. */
  onDrop(id: string, edge: Edge): void
}

type Edge = 'above' | 'below'

/**
 * Lets a list in the sidebar be dragged to another place. Renders nothing: attributes of the entries show what is dragged and
 * where it would land, because a drag must not cause a render.
 */
export function ListDrag({ id, entry, onDrop }: ListDragProps) {
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const element = entry.current
    if (!element) return
    const showGap = (edge?: Edge) => {
      if (edge) element.dataset.gap = edge
      else delete element.dataset.gap
    }
    const edgeAt = (y: number): Edge => {
      const { top, height } = element.getBoundingClientRect()
      return y < top + height / 2 ? 'above' : 'below'
    }
    return combine(
      draggable({
        element,
        getInitialData: () => ({ kind: 'list', id }),
        onDragStart: () => element.toggleAttribute('data-dragged', true),
        onDrop: () => element.removeAttribute('data-dragged'),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source: { data } }) => data.kind === 'list' && data.id !== id,
        onDrag: ({ location }) => showGap(edgeAt(location.current.input.clientY)),
        onDragLeave: () => showGap(),
        onDrop({ source, location }) {
          showGap()
          drop(String(source.data.id), edgeAt(location.current.input.clientY))
        },
      }),
    )
  }, [id, entry])
  return null
}
