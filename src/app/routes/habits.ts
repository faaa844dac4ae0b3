import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const habitsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/habits',
  staticData: { title: 'Habits' },
  component: lazyPage(() => import('../shell/habits.tsx'), 'Habits'),
})
