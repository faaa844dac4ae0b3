import { type AnyValidator, type Constrain, createRoute, type DefaultValidator } from '@tanstack/react-router'
import { type LazyPart, lazyPart } from '#platform/ui/lazy-part.tsx'
import { rootRoute } from './root.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The window title, without the ' · Daymark' at the end. */
    title?: string
    /** Names of the collections that the screen shows first. They are read while the screen is still loading. */
    reads?: readonly string[]
    /** Names of the collections for those parts of the screen that are loaded after its first rows. */
    readsLater?: readonly string[]
  }
}

interface Screen<Path extends string, Search> {
  path: Path
  title?: string
  /** Parses the screen's search parameters. */
  search?: Constrain<Search, AnyValidator, DefaultValidator>
  draws: LazyPart<object>
}

/** The parent of every screen that needs an account. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyPart(() => import('../shell/signed-in/signed-in.tsx'), 'SignedIn'),
})

export function openToAll<const Path extends string, Search = undefined>({
  path,
  title,
  search,
  draws,
}: Screen<Path, Search>) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: { title },
    validateSearch: search,
    component: draws,
  })
}

export function signedIn<const Path extends string, Search = undefined>({
  path,
  title,
  reads,
  readsLater,
  search,
  draws,
}: Screen<Path, Search> & { reads?: readonly string[]; readsLater?: readonly string[] }) {
  return createRoute({
    getParentRoute: () => frameRoute,
    path,
    staticData: { title, reads, readsLater },
    validateSearch: search,
    component: draws,
  })
}
