import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from './signed-in.ts'

export const habitsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/habits',
  staticData: { title: 'Habits' },
  component: lazyRouteComponent(() => import('../shell/habits.tsx'), 'Habits'),
})
