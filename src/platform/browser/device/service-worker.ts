/**
 * Registers the service worker. Rejects if the browser has no service workers, or if a different server now responds at this
 * address. In development the worker consists of modules and has another name.
 */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  return import.meta.env.DEV
    ? navigator.serviceWorker.register('/development-worker.js', { type: 'module', scope: '/' })
    : navigator.serviceWorker.register('/service-worker.js')
}
