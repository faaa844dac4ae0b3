import { type ComponentType, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { duringActivity, onceQuiet } from '#platform/browser/activity.ts'

/**
 * Thrown when a part of the app could not be fetched: a newer build has replaced it on the server, or there is no
 * connection.
 */
export class PartMissing extends Error {
  override name = 'PartMissing'
  /** Fetches the part again. Resolves to whether it can now be rendered. */
  fetchAgain: () => Promise<boolean>

  constructor(part: string, cause: unknown, fetchAgain: () => Promise<boolean>) {
    super(`${part} could not be fetched`, { cause })
    this.fetchAgain = fetchAgain
  }
}

/**
 * A part of the app that is not sent with the page. Render it like any component, inside a Suspense or as a page of the
 * router; it throws `PartMissing` if it cannot be fetched. `usePart` is the alternative: it returns the component once it
 * has been fetched.
 */
export interface LazyPart<Props> {
  (props: Props): ReactNode
  displayName: string
  /** Fetches the part, again if an earlier attempt failed. Never rejects. */
  preload(): Promise<void>
  /** The component; undefined until it has been fetched. */
  fetched(): ComponentType<Props> | undefined
  /**
   * Says whether the part is wanted: fetches it now if it is, or after the screen is drawn if it is preloaded with the screen.
   */
  want(wanted: boolean): void
}

const rest: (() => Promise<void>)[] = []
const listeners = new Set<() => void>()
/** Fetch functions of wanted parts that could not be fetched. */
const missing = new Set<() => Promise<void>>()
let restIsPreloaded = false

/**
 * Makes a lazy part. `name`: the name of the module's export. `preloaded` says when its code is fetched in advance.
 * 'after the screen' (`preloadRest`): for parts that are not visible at first, such as what a button opens.
 * 'with the screen': for parts that people need most when the connection drops. They are fetched once the rows of their screen
 * are drawn, even if they are wanted earlier.
 * All other parts are fetched when they are rendered, and pages by the router during navigation.
 */
export function lazyPart<Name extends string, Props extends object>(
  fetchModule: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  preloaded?: 'after the screen' | 'with the screen',
): LazyPart<Props> {
  let Part: ComponentType<Props> | undefined
  let fetching: Promise<void> | undefined
  let failure: PartMissing | undefined
  let isWanted: boolean | undefined

  function fetchOnce(): Promise<void> {
    fetching ??= duringActivity(fetchModule()).then(
      (module) => {
        Part = module[name]
        missing.delete(preload)
        notify()
      },
      (reason: unknown) => {
        failure = new PartMissing(name, reason, () => preload().then(() => Part !== undefined))
        throw failure
      },
    )
    return fetching
  }

  // The router's own `lazyRouteComponent` would reload the page on failure. Without a connection, a reload would take the app
  // away while somebody is using it.
  function Draw(props: Props) {
    if (failure) throw failure
    if (!Part) use(fetchOnce())
    return Part && <Part {...props} />
  }

  // Only `preload` clears a failure: rendering would otherwise fetch again and again.
  const preload = () => {
    if (failure) fetching = undefined
    failure = undefined
    return fetchOnce().catch(({ cause }: PartMissing) => {
      if (!isWanted) return
      console.warn('A part of the screen could not be fetched', cause)
      missing.add(preload)
      notify()
    })
  }

  if (preloaded) {
    rest.push(preload)
    if (restIsPreloaded) void preload()
  }
  return Object.assign(Draw, {
    displayName: name,
    preload,
    fetched: () => Part,
    want(wanted: boolean) {
      const isPartOfScreen = preloaded === 'with the screen' && (isWanted === undefined || !wanted)
      isWanted = wanted
      if (Part) return
      if (isPartOfScreen) onceQuiet(() => void preload())
      else if (wanted) void preload()
    },
  })
}

/**
 * Returns the component once it has been fetched, for parts that must not hold up the screen. Fetching starts as soon as the
 * part is wanted.
 */
export function usePart<Props>(part: LazyPart<Props>, wanted: boolean): ComponentType<Props> | undefined {
  useEffect(() => part.want(wanted), [part, wanted])
  return useSyncExternalStore(subscribe, part.fetched)
}

/**
 * Preloads the remaining parts. Call it while a connection is idle, since later there may be none. Parts that are wanted and
 * missing come first.
 */
export async function preloadRest(): Promise<void> {
  restIsPreloaded = true
  for (const preload of [...missing, ...rest]) {
    // When the connection is back, `preloadRest` is called again.
    if (!navigator.onLine) return
    await preload()
  }
}

/** Whether a wanted part could not be fetched. */
export function useMissingPart(): boolean {
  return useSyncExternalStore(subscribe, () => missing.size > 0)
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
