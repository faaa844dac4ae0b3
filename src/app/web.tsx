import { longestWaitForLetters, ownLetters } from '#platform/ui/layout/own-letters.ts'
// Import this before anything that has a schema, because zod's first schema would otherwise test whether code may be generated.
import '#platform/wire/no-eval.ts'
import '#platform/ui/layout/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { duringActivity } from '#platform/browser/activity.ts'
import { Announcer } from '#platform/ui/layout/announcer.tsx'
import { LazyParts } from '#platform/ui/layout/lazy-parts.tsx'
import { UiProvider } from '#platform/ui/layout/ui-provider.tsx'
import { Toasts } from '#platform/ui/toasts/toasts.tsx'
import { router } from './router.ts'
import { whenFirstRowsAreKnown } from './shell/signed-in/signed-in-providers.tsx'

const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })

// Do not await `start` here: pages import parts of this file's chunk, which would then wait for itself.
void duringActivity(start())

async function start() {
  // Dates use Temporal, which some browsers still lack; only those download the polyfill.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const letters = Promise.race([
    ownLetters,
    new Promise((resolve) => setTimeout(resolve, longestWaitForLetters)),
  ])
  // Load the page's own parts first: the first render is then complete, and replaces a prerendered page without a flash.
  await router.load()
  const { matches } = router.state
  if (matches.some(({ routeId }) => routeId === '/signed-in')) {
    // On any error, draw the screen anyway: it shows what is wrong.
    await whenFirstRowsAreKnown(queryClient, matches.at(-1)?.staticData.reads ?? []).catch(() => {})
  }
  await letters
  const root = document.getElementById('root')
  if (root === null) throw new Error('No #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiProvider>
          <RouterProvider router={router} />
          <Toasts />
          <LazyParts />
          <Announcer />
        </UiProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
