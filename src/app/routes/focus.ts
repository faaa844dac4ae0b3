import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const focusRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/focus',
  staticData: { title: 'Focus Timer' },
  component: lazyPage(() => import('#features/focus/web/focus-page.tsx'), 'FocusPage'),
})
