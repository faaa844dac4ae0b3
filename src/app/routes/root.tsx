import { createRootRoute, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePageTitle } from '#platform/browser/window-title.ts'
import { ErrorPage } from '../shell/error-page.tsx'

export const rootRoute = createRootRoute({ component: Root, errorComponent: ErrorPage })

function Root() {
  useWindowTitle()
  useFocusOnArrival()
  return <Outlet />
}

function useWindowTitle() {
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title })
  usePageTitle(title)
}

/** Announces a new page and lets Tab continue from its top: without this, focus stays on a link that is gone. */
function useFocusOnArrival() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        // What led here has already said where on the page it leads.
        if (document.activeElement?.matches('main input, main textarea, main [data-row] *')) return
        const arrival = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
        if (arrival === null) return
        arrival.tabIndex = -1
        arrival.focus({ preventScroll: true })
      }),
    [router],
  )
}
