import { expect, type Page } from '@playwright/test'

/** Every row in the browser's databases, except the one that identifies the store itself. */
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

/** Everything that the browser stores for this origin, as one text: databases, caches, storages and cookies. */
export async function everythingOnDevice(page: Page): Promise<string> {
  const rows = await rowsOnDevice(page)
  const cached = await page.evaluate(async () => {
    const responses: unknown[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true })
        responses.push([name, request.url, [...(response?.headers ?? [])], await response?.text()])
      }
    }
    return responses
  })
  const storages = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  return JSON.stringify([rows, cached, storages, await page.context().cookies()])
}

/** Resolves once the service worker has cached the app and controls this page. */
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

/** Resolves once a part that the page fetches when idle has come and run. */
export async function fetchedLater(page: Page, part: string): Promise<void> {
  const found = () =>
    page.evaluate(
      (name) =>
        performance
          .getEntriesByType('resource')
          .map((file) => file.name)
          .find((file) => file.includes(`/${name}`) && file.endsWith('.js')),
      part,
    )
  if ((await found()) === undefined) {
    // A page that comes by a connection fetches the rest at once, instead of after two seconds.
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(found, { intervals: [50] }).toBeDefined()
  }
  // What is fetched still has to run, and the page to draw with it: until then no key and no press reaches it. As a text, because the
  // tests' own build would turn an import in a function into something else.
  await page.evaluate(
    `import(${JSON.stringify(await found())}).then(() => scheduler.postTask(() => {}, { priority: 'background' }))`,
  )
}

/** What is preloaded only when idle is never preloaded. */
export async function neverFetchTheRest(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (then: () => void, ms?: number) => (ms === undefined || ms < 1_000 ? wait(then, ms) : 0),
    })
  })
}

/** Keeps IndexedDB busy until the page is left. */
export async function keepDeviceBusy(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const opening = indexedDB.open('daymark')
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const stores = [...database.objectStoreNames]
    const accounts = database.transaction(stores, 'readwrite').objectStore('accounts')
    const goOn = () => {
      accounts.count().onsuccess = goOn
    }
    goOn()
  })
}
