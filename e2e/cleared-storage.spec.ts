import { expect, type Page } from '@playwright/test'
import { fetchedLater, rowsOnDevice } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { test } from './testing/person/person.ts'
import { field, keptTasks, openList, row, toasts } from './testing/screens/todo-list.ts'

// The browser removes its storage under open tabs, by 'Clear site data' or because the disk is full.

test.use({ mayLog: /Failed to load resource|ERR_INTERNET_DISCONNECTED|Could not read|could not be read/ })

const bar = (page: Page) => page.getByRole('banner')

async function add(page: Page, title: string) {
  await field(page).fill(title)
  await field(page).press('Enter')
  await expect(row(page, title)).toBeVisible()
}

const ways = {
  async 'as the browser does'(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  },
  async 'by a script that deletes the databases'(page: Page) {
    await page.evaluate(async () => {
      for (const { name } of await indexedDB.databases()) {
        await new Promise((done) => {
          indexedDB.deleteDatabase(name ?? '').onsuccess = done
        })
      }
    })
  },
  async 'by a script that empties them'(page: Page) {
    await page.evaluate(async () => {
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open(name ?? '')
          request.onsuccess = () => resolve(request.result)
        })
        const emptied = database.transaction([...database.objectStoreNames], 'readwrite')
        for (const store of database.objectStoreNames) emptied.objectStore(store).clear()
        await new Promise((done) => {
          emptied.oncomplete = done
        })
        database.close()
      }
    })
  },
}

test('storage that is cleared', async ({ page }) => {
  const added: string[] = []
  await openList(page, { open: ['Water the plants'] })
  for (const [way, clear] of Object.entries(ways))
    await test.step(`storage that is cleared ${way} loses nothing: the list stays, and the next change is sent`, async () => {
      await expect(row(page, 'Water the plants')).toBeVisible()
      await expect(bar(page)).toContainText('All changes saved')
      await page.evaluate(() => Object.assign(window, { stillTheSame: true }))
      await clear(page)
      const title = `Buy milk, cleared ${way}`
      await add(page, title)
      added.unshift(title)
      await expect
        .poll(async () => (await keptTasks(page)).map(({ title }) => title))
        .toEqual([...added, 'Water the plants'])
      await expect(row(page, 'Water the plants')).toBeVisible()
      await expect(bar(page)).toContainText('All changes saved')
      // And the next start without a connection finds it.
      await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain(title)
      await expect(toasts(page)).toHaveCount(0)
      expect(await page.evaluate(() => 'stillTheSame' in window), 'it was not reloaded').toBe(true)
      await settled(page)
    })
})

test('changes that were unsent when the storage was cleared are shown by number, kept, and sent by one of the tabs', async ({
  page,
  context,
}) => {
  await openList(page, { open: ['Water the plants'] })
  const other = await context.newPage()
  await other.goto('/todos')
  await expect(row(other, 'Water the plants')).toBeVisible()
  for (const tab of [page, other]) {
    await fetchedLater(tab, 'toaster')
    await fetchedLater(tab, 'failed-write-toasts-')
  }
  await context.setOffline(true)
  for (const title of ['One', 'Two', 'Three']) await add(page, title)
  await expect(row(other, 'Three')).toBeVisible()
  await ways['as the browser does'](page)
  for (const tab of [page, other]) {
    await expect(toasts(tab).filter({ hasText: "This browser's storage was cleared" })).toContainText(
      '3 unsent changes were deleted with it, but this tab still had copies and restored them.',
    )
    await expect(bar(tab)).toContainText('Offline. 3 changes wait on this device')
  }
  await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('Three')
  await add(other, 'Four')
  await page.close()
  await context.setOffline(false)
  await expect
    .poll(async () => (await keptTasks(other)).map(({ title }) => title))
    .toEqual(['Four', 'Three', 'Two', 'One', 'Water the plants'])
  await expect(bar(other)).toContainText('All changes saved')
})

test.describe('a browser without storage', () => {
  test.use({ mayLog: /gives no storage|Failed to load resource|Could not read/ })

  test('asks before it leaves a page with unsent changes, and only then', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { value: undefined })
    })
    await openList(page)
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await (asked.length === 1 ? dialog.dismiss() : dialog.accept())
    })
    await page.reload()
    // The next read fails, and without storage nothing is known from before.
    await expect(field(page)).toBeVisible()
    await expect(bar(page)).toContainText('All changes saved')
    expect(asked).toEqual([])
    await page.route(/\/api\/todos/, (route) => route.abort())
    await add(page, 'Buy milk')
    await page.evaluate(() => location.reload())
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await expect(row(page, 'Buy milk')).toBeVisible()
    await page.unroute(/\/api\/todos/)
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toEqual(['Buy milk'])
    await expect(bar(page)).toContainText('All changes saved')
    await page.reload()
    await expect(field(page)).toBeVisible()
    expect(asked).toEqual(['beforeunload'])
  })
})
