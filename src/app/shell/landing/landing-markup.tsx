import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from '#features/landing/landing-page.tsx'

/** The landing page for visitors, which scripts/web/web-pages.mjs writes into landing.html. */
export async function landingMarkup(): Promise<string> {
  const root = createRootRoute()
  const landing = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <LandingPage visitor={{ status: 'signed-out' }} />,
  })
  const router = createRouter({
    routeTree: root.addChildren([landing]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderToStaticMarkup(<RouterProvider router={router} />)
}
