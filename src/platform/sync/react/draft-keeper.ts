import { useMemo } from 'react'
import type { DraftKeeper } from '#platform/browser/drafts/use-draft.ts'
import { findDraft, forgetDraft, keepDraft, keyOfDraft } from '../local-store/kept-drafts.ts'
import { useSync } from './sync-context.ts'

/** Keeps what is typed in one field on this device, with the account's data. `place` identifies the field on every page. */
export function useDraftKeeper(place: string): DraftKeeper {
  const sync = useSync()
  return useMemo(() => {
    const { account, outbox, edited } = sync
    const forget = (text?: string) => forgetDraft(account, place, text)
    return {
      find: () => findDraft(account, place),
      keep(text, from) {
        // Keep nothing once the account is erased: the next person to use this browser could find the draft.
        if (!sync.isErased) keepDraft(account, place, { text, from })
      },
      forget,
      forgetSaved(text) {
        const forgetOnceStored = () => {
          if (outbox.unstored.length > 0 || edited.isHoldingBack) return
          stop()
          forget(text)
        }
        const stop = outbox.subscribe(forgetOnceStored)
        forgetOnceStored()
      },
      watchGone(onGone) {
        const listen = ({ key, newValue }: StorageEvent) => {
          if (key === keyOfDraft(account, place) && newValue === null) onGone()
        }
        window.addEventListener('storage', listen)
        return () => window.removeEventListener('storage', listen)
      },
    }
  }, [sync, place])
}
