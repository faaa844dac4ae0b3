/**
 * The built file for an address that a person may open; undefined for what cannot be a screen. The landing page is
 * prerendered, and the pages of screens preload their scripts; they do not differ otherwise.
 */
export function pageFileAt(path: string, isBuilt: (file: string) => boolean): string | undefined {
  if (path === '/') return isBuilt('/landing.html') ? '/landing.html' : '/index.html'
  if (!mayBeScreen(path)) return undefined
  const own = `/screens${path}.html`
  return isBuilt(own) ? own : '/index.html'
}

// A dot means a file, and a missing file must not be answered with a page.
function mayBeScreen(path: string): boolean {
  return /^(\/[\w-]+)+\/?$/.test(path)
}
