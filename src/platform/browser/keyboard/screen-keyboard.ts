import { useSyncExternalStore } from 'react'

/** Pixels: on-screen keyboards are higher than this, and browser toolbars lower. */
const leastKeyboard = 120

/** The height of the window without a keyboard, at its present width. Some browsers shrink the window for the keyboard. */
let tallest = { width: window.innerWidth, height: window.innerHeight }

/** Whether an on-screen keyboard covers the lower part of the window. */
export function useScreenKeyboard(): boolean {
  return useSyncExternalStore(subscribe, isUp)
}

function subscribe(changed: () => void): () => void {
  window.visualViewport?.addEventListener('resize', changed)
  window.addEventListener('resize', changed)
  document.addEventListener('focusin', changed)
  document.addEventListener('focusout', changed)
  return () => {
    window.visualViewport?.removeEventListener('resize', changed)
    window.removeEventListener('resize', changed)
    document.removeEventListener('focusin', changed)
    document.removeEventListener('focusout', changed)
  }
}

function isUp(): boolean {
  const { innerWidth: width, innerHeight: height, visualViewport } = window
  if (tallest.width !== width || tallest.height < height) tallest = { width, height }
  // Zooming in shows less of the page, but does not shrink the window.
  const seen = visualViewport ? visualViewport.height * visualViewport.scale : height
  return tallest.height - Math.min(seen, height) >= leastKeyboard && isTypedInto(document.activeElement)
}

function isTypedInto(element: Element | null): boolean {
  return (
    element?.matches(
      'input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable]',
    ) === true
  )
}
