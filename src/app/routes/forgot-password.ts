import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  staticData: { title: 'Forgot your password?' },
  component: lazyPage(() => import('#features/account/web/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})
