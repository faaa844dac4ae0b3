import type { Page } from '@playwright/test'

/** Every row that the browser's databases hold. */
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
            rows.push(...request.result)
            resolve()
          }
        })
      }
      database.close()
    }
    return rows
  })
}
