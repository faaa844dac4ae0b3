import { createRootRoute, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePageTitle } from '#platform/browser/device/window-title.ts'
import { ErrorPage } from '../shell/errors/error-page.tsx'
import { focusOnArrival } from '../shell/errors/focus-on-arrival.ts'

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

function useFocusOnArrival() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) focusOnArrival()
      }),
    [router],
  )
}
