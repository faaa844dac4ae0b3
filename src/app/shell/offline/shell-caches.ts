/** The prefix of the cache names, one cache per build that the service worker stores. */
export const shellPrefix = 'daymark-shell-'

/** The cache names, newest last. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix))
}
