import type { Request } from '@playwright/test'

/** The collections of which a page that has them asks only for what changed. */
type Collection = 'habits' | 'lists' | 'todos'

/**
 * Matches the addresses at which pages read a collection: whole, or only what changed `since` what they have. A new habit or list is
 * posted to the first of them, so what is meant for reads alone looks at the method, too.
 */
export function readsOf(collection: Collection): RegExp {
  const whole = collection === 'todos' ? String.raw`todos\?done=recent` : collection
  return new RegExp(`/api/${whole}([?&]since=[^&]*)?$`)
}

export function isReadOf(collection: Collection, request: Request): boolean {
  return request.method() === 'GET' && readsOf(collection).test(request.url())
}
