import { Info } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { inDigits } from '#platform/ui/number-words.ts'
import type { Ending } from '../ending.ts'
import { type EndedSignIn, endedSignIn } from './ended-sign-in.ts'
import { isSignOutPending } from './pending-sign-out.ts'

/** Milliseconds for which it is worth a word why a sign-in has ended. */
const toldFor = 24 * 60 * 60 * 1000

const words = {
  'signed-out': 'You were signed out here from another device.',
  'password-changed': 'Your password was changed, so this device was signed out.',
  'account-closed': 'This account is closed. Contact whoever runs this server.',
  'account-deleted': 'This account was deleted.',
} satisfies Record<Ending, string>

/** For whoever did not mean to be on this page: why they are, and what this device keeps for them. */
export function WhySignedOut() {
  const [ended] = useState(endedSignIn)
  const kept = useKeptChanges(ended)
  if (isSignOutPending()) {
    return (
      <Told title="You're signed out on this device.">
        Signing out will be finished once you're back online.
      </Told>
    )
  }
  // Shown at once with all that there is to say, so that nothing moves afterwards.
  if (!ended || kept === undefined) return null
  if (ended.why === 'account-deleted' && isRecent(ended)) {
    return <Told title={words['account-deleted']}>Its data has been removed from this device.</Told>
  }
  if (kept === 0 && !isRecent(ended)) return null
  const title = isRecent(ended) ? titleOf(ended) : undefined
  if (kept === 0 || !ended.account) return <Told title={title} />
  const [changes, them] =
    kept === 1 ? ['1 unsent change', 'it'] : [`${inDigits.format(kept)} unsent changes`, 'them']
  return (
    <Told title={title}>
      {changes} {kept === 1 ? 'is' : 'are'} kept on this device for{' '}
      <span className="font-medium text-ink">{ended.account.email}</span>.
      {ended.why !== 'account-closed' && ` Sign in with that address to send ${them}.`}
    </Told>
  )
}

function Told({ title, children }: { title?: string | undefined; children?: ReactNode }) {
  return (
    <div
      role="status"
      className="mb-7 flex gap-2 rounded-control bg-chosen p-3 text-control text-ink-2 shadow-[0_0_0_1px_var(--chosen-line)]"
    >
      <Info size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        {title && <p className="font-medium text-ink">{title}</p>}
        {children && <p>{children}</p>}
      </div>
    </div>
  )
}

function titleOf({ why }: EndedSignIn): string {
  return why ? words[why] : 'You were signed out on this device.'
}

function isRecent({ at }: EndedSignIn): boolean {
  return Math.abs(Date.now() - at) < toldFor
}

/** Undefined until the device was read. */
function useKeptChanges(ended: EndedSignIn | undefined): number | undefined {
  const id = ended?.account?.id
  const [kept, setKept] = useState<number>()
  useEffect(() => {
    if (id === undefined) return setKept(0)
    let over = false
    const count = async () => {
      // Not sent to whoever only signs in.
      const { waiting } = await import('#platform/sync/leave.ts')
      const found = await waiting(id)
      if (!over) setKept(found)
    }
    count().catch((failure: unknown) => {
      console.warn('What is kept on this device could not be read', failure)
      if (!over) setKept(0)
    })
    return () => {
      over = true
    }
  }, [id])
  return kept
}
