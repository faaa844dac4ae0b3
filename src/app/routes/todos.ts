import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from './signed-in.ts'

export const todosRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/todos',
  staticData: { title: 'Todos' },
  component: lazyRouteComponent(() => import('../shell/todos.tsx'), 'Todos'),
})
