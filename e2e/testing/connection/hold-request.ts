import type { Page, Route } from '@playwright/test'

interface Hold {
  /** Only requests of this method wait. */
  method?: string
  /** What happens to them afterwards. By default they continue to the server. */
  respond?: (route: Route) => Promise<void>
}

/** Holds requests to `url` until the returned function is called; later requests do not wait. */
export async function holdRequest(
  page: Page,
  url: string | RegExp,
  { method, respond = (route) => route.continue() }: Hold = {},
): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    await released
    await respond(route)
  })
  return release
}
