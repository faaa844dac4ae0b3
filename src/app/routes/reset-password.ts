import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  staticData: { title: 'Choose a new password' },
  component: lazyPage(() => import('#features/account/web/reset-password-page.tsx'), 'ResetPasswordPage'),
})
