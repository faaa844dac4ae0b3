/** How the cache of each build is named that the service worker keeps. */
export const shellPrefix = 'daymark-shell-'

/** What a page says to a worker that waits. */
export const takeOver = 'take over'

/** Their names, the newest last. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix))
}
