import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { rootRoute } from './root.tsx'

export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  staticData: { title: 'Join Daymark' },
  component: lazyPage(() => import('#features/account/web/join-page.tsx'), 'JoinPage'),
})
