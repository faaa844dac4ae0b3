import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const todosRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/todos',
  staticData: { title: 'Todos' },
  component: lazyPage(() => import('../shell/todos.tsx'), 'Todos'),
})
