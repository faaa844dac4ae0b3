import { createRouter } from '@tanstack/react-router'
import { notFoundRoute } from './routes/not-found.tsx'
import { rootRoute } from './routes/root.tsx'
import { frameRoute } from './routes/screen.ts'
import { screensOpenToAll, signedInScreens } from './screens.ts'

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
