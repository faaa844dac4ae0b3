// Whoever has opened the built app at this address has a service worker that goes on answering with what was built.
// While developing it is told to go, and takes what it keeps with it.

/** Runs in the browser, in place of the built one. */
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
