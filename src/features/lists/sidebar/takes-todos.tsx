import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useEffectEvent } from 'react'

interface TakesTodosProps {
  target: RefObject<HTMLElement | null>
  onDrop(todoId: string): void
}

/**
 * Lets a task be dropped on an entry of the sidebar. Renders nothing: an attribute of the entry shows that a task is over it,
 * because a drag must not cause a render.
 */
export function TakesTodos({ target, onDrop }: TakesTodosProps) {
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const element = target.current
    if (!element) return
    const showOver = (isOver: boolean) => element.toggleAttribute('data-over', isOver)
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === 'todo',
      onDragEnter: () => showOver(true),
      onDragLeave: () => showOver(false),
      onDrop({ source }) {
        showOver(false)
        drop(String(source.data.id))
      },
    })
  }, [target])
  return null
}
