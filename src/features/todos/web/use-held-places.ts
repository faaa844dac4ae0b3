import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Todo } from '../todo.ts'

const milliseconds = 600

/**
 * Rows do not jump away while a person ticks several in a row: a ticked row stays in its place, with its tick, until
 * nothing has been ticked for a moment, and while a title is being edited (which `mayMove` reports). `onLetGo` runs
 * just before they move.
 */
export function useHeldPlaces({
  mayMove,
  onLetGo,
}: {
  mayMove: () => boolean
  onLetGo: (places: ReadonlyMap<string, Todo>) => void
}) {
  const [held, setHeld] = useState<ReadonlyMap<string, Todo>>(new Map())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const letGo = useEffectEvent(() => {
    if (!mayMove()) return wait()
    onLetGo(held)
    setHeld(new Map())
  })
  const wait = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => letGo(), milliseconds)
  })

  useEffect(() => {
    if (held.size > 0) wait()
    return () => clearTimeout(timer.current)
  }, [held])

  /** `todo` is the row as it was before the change that may move it. */
  const hold = useCallback((todo: Todo) => {
    // A new map each time, which restarts the wait.
    setHeld((places) => new Map(places).set(todo.id, places.get(todo.id) ?? todo))
  }, [])

  /** The person moved it to another place themselves: it goes there at once. */
  const release = useCallback(({ id }: Pick<Todo, 'id'>) => {
    setHeld((places) => new Map([...places].filter(([other]) => other !== id)))
  }, [])

  return { held, hold, release }
}
