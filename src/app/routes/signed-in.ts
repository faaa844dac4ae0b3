import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

/** Above every page that needs an account. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('../shell/signed-in.tsx'), 'SignedIn'),
})
