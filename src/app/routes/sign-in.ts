import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  staticData: { title: 'Login' },
  component: lazyPage(() => import('#features/account/web/sign-in-page.tsx'), 'SignInPage'),
})
