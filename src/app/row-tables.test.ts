import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { rowKinds } from './row-kinds.ts'

/** The columns that purging, merging, and the undoing of imports need (`SyncedColumns`). */
const columns = [
  ...['user_id', 'id', 'created_at', 'updated_at', 'deleted_at', 'deletion_changed_at'],
  ...['import_id', 'imported_at', 'deleted_before_import'],
]

describeEachEngine('The table of each kind of row', (openEmpty, engine) => {
  it('has the columns that every kind has, and the indexes by which its rows are purged and taken back', async () => {
    const { read } = await openEmpty()
    const tables = await read.introspection.getTables()
    const { rows } = await (engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select indexname as name from pg_indexes`
    ).execute(read)
    const indexes = rows.map(({ name }) => name)
    const missing = rowKinds.flatMap(({ table }) => {
      const there = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
      return [
        ...columns.filter((column) => !there.includes(column)).map((column) => `${table}.${column}`),
        ...[`${table}_by_deletion`, `${table}_of_import`].filter((index) => !indexes.includes(index)),
      ]
    })
    expect(missing).toEqual([])
  })
})
