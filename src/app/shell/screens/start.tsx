import { GoToStart } from '#features/account/sign-in/web/go-to-start.tsx'
import { useSync } from '#platform/sync/react/sync-context.ts'

/** Where the installed app opens. */
export function Start() {
  return <GoToStart account={useSync().account} />
}
