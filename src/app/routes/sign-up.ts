import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  staticData: { title: 'Create an Account' },
  component: lazyRouteComponent(() => import('#features/account/web/sign-up-page.tsx'), 'SignUpPage'),
})
