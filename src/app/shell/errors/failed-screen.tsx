import type { ErrorComponentProps } from '@tanstack/react-router'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { ErrorPage } from './error-page.tsx'

/** Shown instead of a screen that cannot be loaded, or that broke. */
export function FailedScreen(props: ErrorComponentProps) {
  const WhatWaits = usePart(LazyWhatWaits, false)
  return <ErrorPage {...props} framed hint={WhatWaits && <WhatWaits />} />
}

const LazyWhatWaits = lazyPart(() => import('../sync-status/what-waits.tsx'), 'WhatWaits', 'with the screen')
