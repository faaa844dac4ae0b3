/**
 * The built file for an address that a person may open; undefined for what cannot be a screen. The landing page is
 * prerendered, and the pages of screens preload their scripts; they do not differ otherwise.
 */
export function pageFileAt(path: string, isBuilt: (file: string) => boolean): string | undefined {
  if (path === '/') return isBuilt('/landing.html') ? '/landing.html' : '/index.html'
  if (!mayBeScreen(path)) return undefined
  const words = path.split('/').filter((word) => word !== '')
  // The page of a row, such as a list, is that of all such rows.
  const own = [words, words.slice(0, -1)].map((each) => `/screens/${each.join('.')}.html`)
  return own.find(isBuilt) ?? '/index.html'
}

// A dot means a file, and a missing file must not be answered with a page.
function mayBeScreen(path: string): boolean {
  return /^(\/[\w-]+)+\/?$/.test(path)
}
