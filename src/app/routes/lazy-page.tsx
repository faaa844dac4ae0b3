import { type ComponentType, use } from 'react'

/** A page could not be fetched: a newer build has taken its place on the server, or there is no connection. */
export class PageMissing extends Error {
  override name = 'PageMissing'
}

/**
 * A page that is fetched when it is gone to, or is about to be. When that fails, the error page says so: the router's
 * own `lazyRouteComponent` would reload, which without a connection takes the app away from under somebody's hands.
 */
export function lazyPage<Name extends string>(
  fetchModule: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  let Page: ComponentType | undefined
  let fetching: Promise<void> | undefined

  function fetchPage(): Promise<void> {
    fetching ??= fetchModule().then(
      (module) => {
        Page = module[name]
      },
      (reason: unknown) => {
        throw new PageMissing(`${name} could not be fetched`, { cause: reason })
      },
    )
    return fetching
  }

  function LazyPage() {
    if (!Page) use(fetchPage())
    return Page && <Page />
  }

  // One that fails ahead of time is forgotten: whoever then goes there tries anew.
  const preload = () =>
    fetchPage().catch(() => {
      fetching = undefined
    })
  return Object.assign(LazyPage, { preload })
}
