import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from './signed-in.ts'

export const focusRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/focus',
  staticData: { title: 'Focus Timer' },
  component: lazyRouteComponent(() => import('#features/focus/web/focus-page.tsx'), 'FocusPage'),
})
