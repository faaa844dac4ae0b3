import type { ErrorComponentProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useOnline } from '#platform/browser/device/use-online.ts'
import { backOff } from '#platform/sync/network/back-off.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { PartMissing } from '#platform/ui/lazy-part.tsx'
import { focusOnArrival } from './focus-on-arrival.ts'
import { LonePage } from './lone-page.tsx'
import { isServerThere, mayReload } from './reload-once.ts'

interface ErrorPageProps extends ErrorComponentProps {
  framed?: boolean
  hint?: ReactNode
}

/**
 * Shown when a page breaks or cannot be loaded; a page that could not be loaded is loaded as soon as possible. The error is
 * already in the console.
 */
export function ErrorPage({ error, reset, ...look }: ErrorPageProps) {
  const { busy, tryAgain } = useNextTries(error, reset)
  const online = useOnline()
  const [title, sentence] =
    error instanceof PartMissing
      ? [
          "This page couldn't be loaded",
          online
            ? 'Daymark may have been updated, or you may be offline. Your data is safe.'
            : "You're offline. It opens by itself once you're back online.",
        ]
      : ['Something went wrong', 'This page stopped working. Your data is safe.']
  return (
    <LonePage {...look} title={title} sentence={sentence}>
      <Button busy={busy} onClick={tryAgain}>
        Try again
      </Button>
    </LonePage>
  )
}

/**
 * Fetches a missing part again: at once, when the connection comes back, and now and then while there seems to be a
 * connection.
 */
function useNextTries(error: unknown, reset: () => void) {
  const online = useOnline()
  const [presses, setPresses] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const missing = error instanceof PartMissing ? error : undefined
    if (presses === 0 && !(missing && online)) return
    let over = false
    let failures = 0
    let responds = false
    let next: ReturnType<typeof setTimeout> | undefined
    const attempt = async () => {
      let isFetched = await missing?.fetchAgain()
      // Without a connection, a reload would only take the app away, so ask the server first.
      const mayHelp = !isFetched && !responds && (await isServerThere())
      // If fetching fails again although the server responds, a newer build has most likely replaced this page's build.
      if (mayHelp) isFetched = await missing?.fetchAgain()
      if (over) return
      if (isFetched) return showAgain(reset)
      if (mayHelp && (presses > 0 || mayReload())) return location.reload()
      setBusy(false)
      if (!missing) return showAgain(reset)
      if (!navigator.onLine) return
      // A server that responds but does not have the part is retried less and less often.
      responds ||= mayHelp
      next = setTimeout(attempt, backOff(++failures, !responds && document.visibilityState === 'visible'))
    }
    setBusy(true)
    void attempt()
    return () => {
      over = true
      clearTimeout(next)
    }
  }, [error, reset, online, presses])
  return { busy, tryAgain: () => setPresses(presses + 1) }
}

/** Shows the page again. If the failed page had the focus, most likely at its heading, the focus moves to the new page. */
function showAgain(reset: () => void): void {
  const wasThere = document.activeElement?.closest('main')
  flushSync(reset)
  if (wasThere) focusOnArrival()
}
