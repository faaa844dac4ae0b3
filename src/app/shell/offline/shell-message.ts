/** A page's message to a service worker that is waiting for the previous one to go. */
export const skipWaiting = 'do not wait'
