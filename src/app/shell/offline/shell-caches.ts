/** The prefix of the cache names. The service worker stores one cache per build. */
export const shellPrefix = 'daymark-shell-'

/** The cache names, newest last. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix))
}
