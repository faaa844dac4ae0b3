import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  staticData: { title: 'Confirm your email address' },
  component: lazyPage(() => import('#features/account/web/verify-email-page.tsx'), 'VerifyEmailPage'),
})
