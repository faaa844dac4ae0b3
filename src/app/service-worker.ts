/// <reference lib="webworker" />
import { showPushes } from '#features/reminders/service-worker/push-worker.ts'
import type { BuiltFile } from './shell/offline/built-file.ts'
import { keepShell } from './shell/offline/shell-worker.ts'

declare const self: ServiceWorkerGlobalScope & {
  /** The build prepends this list; in development it is missing. */
  builtFiles?: readonly BuiltFile[]
}

keepShell(self, self.builtFiles ?? [])
showPushes(self)
