/// <reference lib="webworker" />
import { showPushes } from '#features/reminders/web/push-worker.ts'
import { type BuiltFile, keepShell } from './shell/shell-worker.ts'

declare const self: ServiceWorkerGlobalScope & {
  /** Written before this by the build; while developing there is none. */
  builtFiles?: readonly BuiltFile[]
}

keepShell(self, self.builtFiles ?? [])
showPushes(self)
