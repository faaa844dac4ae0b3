/** What a page says to a service worker that waits for the ones before it to go. */
export const doNotWait = 'do not wait'
