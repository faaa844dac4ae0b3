/// <reference lib="webworker" />
import { showPushes } from '#features/reminders/web/push-worker.ts'

declare const self: ServiceWorkerGlobalScope

// A worker that waits for every tab to close would show yesterday's notifications for as long as one is open.
self.addEventListener('install', () => void self.skipWaiting())

showPushes(self)
