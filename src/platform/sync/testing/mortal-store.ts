import type { LocalStore } from '../local-store/local-store.ts'

/**
 * The local store of a tab that can crash. A call in progress may still complete, but the dead tab makes no more calls and gets
 * no results. `delivered` simulates the time that a result takes to arrive.
 */
export function mortalStore(
  store: LocalStore,
  dead: () => boolean,
  delivered: () => Promise<void> = async () => {},
): LocalStore {
  const never = new Promise<never>(() => {})
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (dead()) return never
        const result: unknown = await value.apply(target, args)
        await delivered()
        return dead() ? never : result
      }
    },
  })
}
