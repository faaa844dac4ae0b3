import { Info } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { SessionEnd } from '#features/account/session/session-end.ts'
import { type EndedSignIn, endedSignIn } from '#features/account/session/web/ended-sign-in.ts'
import { isSignOutPending } from '#features/account/session/web/pending-sign-out.ts'
import { counted } from '#platform/format/words.ts'

/** In milliseconds: how long after a session ended the reason is still shown. */
const shownFor = 24 * 60 * 60 * 1000

const reasons = {
  'signed-out': 'You were signed out here from another device.',
  'password-changed': 'Your password was changed, so this device was signed out.',
  'account-closed': 'This account is closed. Contact whoever runs this server.',
  'account-deleted': 'This account was deleted.',
} satisfies Record<SessionEnd, string>

/** Tells people who were signed out why they are on this page, and what this device still stores for them. */
export function WhySignedOut() {
  const [ended] = useState(endedSignIn)
  const unsent = useUnsentChanges(ended)
  if (isSignOutPending()) {
    return (
      <StatusNote title="You're signed out on this device.">
        Signing out will be finished once you're back online.
      </StatusNote>
    )
  }
  // Wait until everything is known, so that nothing moves afterwards.
  if (!ended || unsent === undefined) return null
  if (ended.why === 'account-deleted' && isRecent(ended)) {
    return (
      <StatusNote title={reasons['account-deleted']}>Its data has been removed from this device.</StatusNote>
    )
  }
  if (unsent === 0 && !isRecent(ended)) return null
  const title = isRecent(ended) ? titleOf(ended) : undefined
  if (unsent === 0 || !ended.account) return <StatusNote title={title} />
  return (
    <StatusNote title={title}>
      {counted(unsent, 'unsent change')} {unsent === 1 ? 'is' : 'are'} kept on this device for{' '}
      <span className="font-medium text-ink">{ended.account.email}</span>.
      {ended.why !== 'account-closed' &&
        ` Sign in with that address to send ${unsent === 1 ? 'it' : 'them'}.`}
    </StatusNote>
  )
}

function StatusNote({ title, children }: { title?: string | undefined; children?: ReactNode }) {
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
  return why ? reasons[why] : 'You were signed out on this device.'
}

function isRecent({ at }: EndedSignIn): boolean {
  return Math.abs(Date.now() - at) < shownFor
}

/** The number of unsent changes; undefined until the device's store has been read. */
function useUnsentChanges(ended: EndedSignIn | undefined): number | undefined {
  const id = ended?.account?.id
  const [unsent, setUnsent] = useState<number>()
  useEffect(() => {
    if (id === undefined) return setUnsent(0)
    let cancelled = false
    const count = async () => {
      // Load the sync code only here, so that people who just sign in need not download it.
      const { countUnsent } = await import('#platform/sync/account/sign-out.ts')
      const found = await countUnsent(id)
      if (!cancelled) setUnsent(found)
    }
    count().catch((failure: unknown) => {
      console.warn('What is kept on this device could not be read', failure)
      if (!cancelled) setUnsent(0)
    })
    return () => {
      cancelled = true
    }
  }, [id])
  return unsent
}
