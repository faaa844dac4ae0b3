import * as late from './late-store.ts'
import type { LocalStore } from './local-store.ts'
import type { Schema, StoreName, Transact, Transaction } from './object-stores.ts'
import { createTransactionalStore } from './transactional-store.ts'

/** For browsers without storage: a local store that lives as long as this tab. */
export function createMemoryStore(): LocalStore {
  return {
    durable: false,
    outdated: new Promise(() => {}),
    onClosed() {},
    // Imported statically: when a browser takes its storage away, there may be no connection to fetch it.
    ...createTransactionalStore(createMemoryTransactions(), async () => late),
  }
}

type Tables = { readonly [Name in StoreName]: Map<string, Schema[Name]['value']> }

const keyOf: { readonly [Name in StoreName]: (value: Schema[Name]['value']) => Schema[Name]['key'] } = {
  accounts: ({ account }) => account,
  entries: ({ account, seq }) => [account, seq],
  lists: ({ account, list }) => [account, list],
  notices: ({ account, id }) => [account, id],
  values: ({ account, name }) => [account, name],
  turns: ({ account }) => account,
}

/** Runs transactions one after the other, whichever stores they use. */
function createMemoryTransactions(): Transact {
  let tables: Tables = {
    accounts: new Map(),
    entries: new Map(),
    lists: new Map(),
    notices: new Map(),
    values: new Map(),
    turns: new Map(),
  }
  let last: Promise<unknown> = Promise.resolve()
  return (_stores, durability, work) => {
    const result = last.then(async () => {
      const changed = durability ? copyOf(tables) : tables
      const done = await work(transactionOver(changed))
      tables = changed
      return done
    })
    last = result.catch(() => {})
    return result
  }
}

function copyOf(tables: Tables): Tables {
  return {
    accounts: new Map(tables.accounts),
    entries: new Map(tables.entries),
    lists: new Map(tables.lists),
    notices: new Map(tables.notices),
    values: new Map(tables.values),
    turns: new Map(tables.turns),
  }
}

function transactionOver(tables: Tables): Transaction {
  const put: Transaction['put'] = async (store, value) => {
    tables[store].set(textOf(keyOf[store](value)), value)
  }
  return {
    get: async (store, key) => tables[store].get(textOf(key)),
    getAll: async (store, account) =>
      [...tables[store]]
        .filter(([, row]) => row.account === account)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, row]) => row),
    put,
    async add(store, value) {
      if (tables[store].has(textOf(keyOf[store](value)))) throw new Error(`The key is taken in ${store}`)
      await put(store, value)
    },
    async delete(store, key) {
      tables[store].delete(textOf(key))
    },
    async deleteAll(store, account) {
      for (const [key, row] of tables[store]) if (row.account === account) tables[store].delete(key)
    },
  }
}

/** Turns a key into text that sorts as the key does. */
function textOf(key: string | readonly [account: string, part: string | number]): string {
  const [account, part] = typeof key === 'string' ? [key, ''] : key
  return JSON.stringify([account, typeof part === 'number' ? String(part).padStart(16, '0') : part])
}
