import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  staticData: { title: 'Login' },
  component: lazyRouteComponent(() => import('#features/account/web/sign-in-page.tsx'), 'SignInPage'),
})
