import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  staticData: { title: 'Choose a new password' },
  component: lazyRouteComponent(
    () => import('#features/account/web/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})
