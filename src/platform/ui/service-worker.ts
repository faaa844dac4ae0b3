/**
 * Rejects where the browser has none, or the server is another one by now. In development it is made of modules, and by
 * another name.
 */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  return import.meta.env.DEV
    ? navigator.serviceWorker.register('/development-worker.js', { type: 'module', scope: '/' })
    : navigator.serviceWorker.register('/service-worker.js')
}
