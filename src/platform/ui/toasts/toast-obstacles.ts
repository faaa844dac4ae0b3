import { type Ref, useCallback } from 'react'

const obstacles = new Set<HTMLElement>()
const listeners = new Set<() => void>()

/** Keeps toasts from covering an element: use it as the element's `ref`. */
export function keepToastsOff(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return
  obstacles.add(element)
  notify()
  return () => {
    obstacles.delete(element)
    notify()
  }
}

/** The same for an element that has a `ref` already. */
export function useKeptOffToasts<Element extends HTMLElement>(ref: Ref<Element> | undefined) {
  return useCallback(
    (element: Element | null) => {
      const release = keepToastsOff(element)
      const detach = attach(ref, element)
      return () => {
        release?.()
        if (typeof detach === 'function') detach()
        else attach(ref, null)
      }
    },
    [ref],
  )
}

function attach<Element>(ref: Ref<Element> | undefined, element: Element | null) {
  if (typeof ref === 'function') return ref(element)
  if (ref) ref.current = element
}

export const toastObstacles = {
  all: (): readonly HTMLElement[] => [...obstacles],
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function notify(): void {
  for (const listener of listeners) listener()
}
