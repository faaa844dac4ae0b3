import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  staticData: { title: 'Confirm your address' },
  component: lazyRouteComponent(
    () => import('#features/account/web/verify-email-page.tsx'),
    'VerifyEmailPage',
  ),
})
