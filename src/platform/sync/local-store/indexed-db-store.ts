import { type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { duringActivity, onceQuiet } from '#platform/browser/activity.ts'
import type { LocalStore } from './local-store.ts'
import type { Schema, StoreName, Transaction } from './object-stores.ts'
import { createTransactionalStore } from './transactional-store.ts'

/** Stores everything in IndexedDB. Rejects if the browser has none or denies access. */
export async function openIndexedDbStore(name = 'daymark'): Promise<LocalStore> {
  let resolveOutdated = () => {}
  const outdated = new Promise<void>((resolve) => {
    resolveOutdated = resolve
  })
  const closedListeners = new Set<() => void>()
  let connecting: Promise<IDBPDatabase<Schema>> | undefined
  await connection()
  // Fetch it while there is a connection: there may be none when the browser clears its storage, and it restores the data.
  onceQuiet(() => void fetchLate().catch(() => {}))

  function connection(): Promise<IDBPDatabase<Schema>> {
    connecting ??= open().catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  function closed(): void {
    connecting = undefined
    for (const listener of closedListeners) listener()
  }

  async function open(): Promise<IDBPDatabase<Schema>> {
    const database = await openDB<Schema>(name, 2, {
      upgrade(store) {
        store.createObjectStore('accounts', { keyPath: 'account' })
        store.createObjectStore('entries', { keyPath: ['account', 'seq'] })
        store.createObjectStore('lists', { keyPath: ['account', 'list'] })
        store.createObjectStore('notices', { keyPath: ['account', 'id'] })
        store.createObjectStore('turns', { keyPath: 'account' })
        store.createObjectStore('values', { keyPath: ['account', 'name'] })
      },
      blocking(_own, newVersion) {
        database.close()
        // The database is being deleted. Reopen it, empty.
        if (newVersion === null) return closed()
        // A newer build in another tab upgrades the schema. Allow that, and report later writes of this tab as not stored.
        connecting = undefined
        resolveOutdated()
      },
      terminated: closed,
    })
    return database
  }

  /** Runs `work`. Runs it once more if the browser closed the connection and aborted the transaction. */
  async function connected<Result>(
    work: (database: IDBPDatabase<Schema>) => Promise<Result>,
  ): Promise<Result> {
    const before = connection()
    try {
      return await work(await before)
    } catch (error) {
      // The browser may report a closed connection only after it has refused the first request on it.
      if (connecting === before && !isClosed(error)) throw error
      if (connecting === before) connecting = undefined
      return work(await connection())
    }
  }

  return {
    durable: true,
    outdated,
    onClosed(listener) {
      closedListeners.add(listener)
    },
    ...createTransactionalStore(
      (stores, durability, work) =>
        duringActivity(
          connected((database) => {
            const tx = database.transaction(stores, durability ? 'readwrite' : 'readonly', { durability })
            return finish(tx, () => work(transactionOver(tx)))
          }),
        ),
      fetchLate,
    ),
  }
}

/** Fetches the code that no first screen needs. */
function fetchLate() {
  return import('./late-store.ts')
}

function transactionOver(
  tx: IDBPTransaction<Schema, readonly StoreName[], 'readonly' | 'readwrite'>,
): Transaction {
  return {
    get: (store, key) => tx.objectStore(store).get(key),
    getAll: (store, account) => tx.objectStore(store).getAll(allOf(account)),
    put: (store, value) => tx.objectStore(store).put?.(value),
    add: (store, value) => tx.objectStore(store).add?.(value),
    delete: (store, key) => tx.objectStore(store).delete?.(key),
    deleteAll: (store, account) => tx.objectStore(store).delete?.(allOf(account)),
  }
}

function allOf(account: string): IDBKeyRange {
  return IDBKeyRange.bound([account], [account, []])
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}

/** Returns the result of `work` once the transaction is done; rolls everything back if either fails. */
async function finish<Result>(
  tx: { done: Promise<void>; abort(): void },
  work: () => Promise<Result>,
): Promise<Result> {
  // `done` rejects with the same error, possibly while `work` is between two requests. Avoid an unhandled rejection.
  tx.done.catch(() => {})
  try {
    const result = await work()
    await tx.done
    return result
  } catch (error) {
    // Aborting a finished transaction throws.
    try {
      tx.abort()
    } catch {}
    throw error
  }
}
