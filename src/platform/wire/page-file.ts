/**
 * The built file for an address that a person may open; undefined if the address cannot be a screen. The landing page is
 * prerendered, and each screen's page preloads its scripts; otherwise the pages are alike.
 */
export function pageFileAt(path: string, isBuilt: (file: string) => boolean): string | undefined {
  if (path === '/') return isBuilt('/landing.html') ? '/landing.html' : '/index.html'
  if (!mayBeScreen(path)) return undefined
  const words = path.split('/').filter((word) => word !== '')
  // A row's address, such as that of a list, has the page that all such rows share.
  const own = [words, words.slice(0, -1)].map((each) => `/screens/${each.join('.')}.html`)
  return own.find(isBuilt) ?? '/index.html'
}

// A dot means a file, and the response to a missing file must not be a page.
function mayBeScreen(path: string): boolean {
  return /^(\/[\w-]+)+\/?$/.test(path)
}
