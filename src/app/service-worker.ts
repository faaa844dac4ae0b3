/// <reference lib="webworker" />
import { showPushes } from '#features/reminders/web/push-worker.ts'
import { type BuiltFile, keepShell } from './shell/shell-worker.ts'

declare const self: ServiceWorkerGlobalScope & {
  /** Put in by the build. */
  __WB_MANIFEST: readonly BuiltFile[]
}

keepShell(self, self.__WB_MANIFEST)
showPushes(self)
