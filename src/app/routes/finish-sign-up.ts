import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const finishSignUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/finish-sign-up',
  staticData: { title: 'Finish signing up' },
  component: lazyPage(() => import('#features/account/web/finish-sign-up-page.tsx'), 'FinishSignUpPage'),
})
