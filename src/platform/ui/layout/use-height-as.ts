import { type RefObject, useLayoutEffect } from 'react'

/**
 * While `isAtBottom`, sets a custom property of the page to the height of an element at the bottom of the window, so that others
 * stay above it.
 */
export function useHeightAs(
  property: `--${string}`,
  of: RefObject<HTMLElement | null>,
  isAtBottom = true,
): void {
  useLayoutEffect(() => {
    const element = of.current
    if (!element || !isAtBottom) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [property, of, isAtBottom])
}
