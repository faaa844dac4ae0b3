import { GoToStart } from '#features/account/sign-in/web/go-to-start.tsx'
import { useSync } from '#platform/sync/react/sync-context.ts'

/** The screen that the installed app opens with. */
export function Start() {
  return <GoToStart account={useSync().account} />
}
