import { createRouter } from '@tanstack/react-router'
import { screensOpenToAll, signedInScreens } from '../screens.ts'
import { notFoundRoute } from './not-found.tsx'
import { rootRoute } from './root.tsx'
import { frameRoute } from './screen.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...screensOpenToAll,
    frameRoute.addChildren([...signedInScreens]),
    notFoundRoute,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
