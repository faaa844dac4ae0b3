// If the built app was opened at this address before, its service worker keeps serving that build. In development, it is
// told to unregister, and removes its cache.

/** Runs in the browser, replacing the built worker. */
const farewell = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(leave()))

async function leave() {
  const kept = (await caches.keys()).filter((name) => name.startsWith('daymark-'))
  await Promise.all(kept.map((name) => caches.delete(name)))
  await registration.unregister()
  for (const tab of await clients.matchAll({ type: 'window' })) tab.navigate(tab.url)
}
`

/** @returns {import('vite').Plugin} */
export function forgetTheBuilt() {
  return {
    name: 'daymark:forget-the-built',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use('/service-worker.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.setHeader('Cache-Control', 'no-store')
        response.end(farewell)
      })
    },
  }
}
