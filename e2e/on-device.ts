import { expect, type Page } from '@playwright/test'

/** Every row that the browser's databases hold, but for the one by which the store names itself. */
export function rowsOnDevice(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => {
    const rows: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of database.objectStoreNames) {
        await new Promise<void>((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => {
            rows.push(...request.result.filter(({ account }) => account !== 'store'))
            resolve()
          }
        })
      }
      database.close()
    }
    return rows
  })
}

/** All that the browser keeps of this address, in one text: databases, caches, storages and cookies. */
export async function everythingOnDevice(page: Page): Promise<string> {
  const rows = await rowsOnDevice(page)
  const cached = await page.evaluate(async () => {
    const answers: unknown[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request, { ignoreVary: true })
        answers.push([name, request.url, [...(answer?.headers ?? [])], await answer?.text()])
      }
    }
    return answers
  })
  const storages = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  return JSON.stringify([rows, cached, storages, await page.context().cookies()])
}

/** Once the service worker has kept the app, and answers for this page. */
export async function keptByTheBrowser(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator
    await serviceWorker.ready
    while (!serviceWorker.controller) {
      await new Promise((changed) =>
        serviceWorker.addEventListener('controllerchange', changed, { once: true }),
      )
    }
  })
}

/** Once the page has fetched a part that it fetches when it has nothing better to do. */
export async function fetchedLater(page: Page, part: string): Promise<void> {
  const isFetched = () =>
    page.evaluate(
      (name) => performance.getEntriesByType('resource').some((file) => file.name.includes(`/${name}`)),
      part,
    )
  await expect.poll(isFetched).toBe(true)
}
