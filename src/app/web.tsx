import '#platform/ui/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Announcer } from '#platform/ui/announcer.tsx'
import { LaterParts } from '#platform/ui/later-parts.tsx'
import { Toasts } from '#platform/ui/toasts.tsx'
import { UiProvider } from '#platform/ui/ui-provider.tsx'
import { router } from './routes/router.ts'

const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })

// Not awaited: pages import what is in this file's chunk, which would then wait for itself.
void start()

async function start() {
  // Days are counted on Temporal, which some browsers still lack; only they are sent it.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  // The page's own parts first: what is drawn then is whole, and takes the place of a ready-made page without a flash.
  await router.load()
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiProvider>
          <RouterProvider router={router} />
          <Toasts />
          <LaterParts />
          <Announcer />
        </UiProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
