import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  staticData: { title: 'Create an Account' },
  component: lazyPage(() => import('#features/account/web/sign-up-page.tsx'), 'SignUpPage'),
})
