import { createRoute, Link } from '@tanstack/react-router'
import { buttonLook } from '#platform/ui/controls/button.tsx'
import { LonePage } from '../shell/errors/lone-page.tsx'
import { rootRoute } from './root.tsx'

export const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  staticData: { title: 'Page not found' },
  component: () => (
    <LonePage title="Page not found" sentence="There's nothing at this address.">
      <Link className={buttonLook()} to="/">
        Go to the home page
      </Link>
    </LonePage>
  ),
})
