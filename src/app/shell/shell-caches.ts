/** How the cache of each build is named that the service worker keeps. */
export const shellPrefix = 'daymark-shell-'

/** Their names, the newest last. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix))
}
