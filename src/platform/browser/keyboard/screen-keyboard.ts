import { useSyncExternalStore } from 'react'

/** No keyboard on a screen is lower, and no toolbar of a browser higher, in pixels. */
const leastKeyboard = 120

/** The height of the window without a keyboard, for its present width: some browsers make the window lower for it. */
let tallest = { width: window.innerWidth, height: window.innerHeight }

/** Whether a keyboard on the screen takes the lower part of the window. */
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
  // Zoomed in, less of the page is seen, but no less of the window.
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
