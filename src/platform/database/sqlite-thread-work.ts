import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { withPreparedStatements } from './sqlite-statements.ts'
import type { Statement, ThreadOptions } from './sqlite-thread.ts'

// The thread of `sqlite-thread.ts`: answers each statement, and ends when told to.

const { path, ...options }: ThreadOptions = workerData
let connection: ReturnType<typeof connect> | undefined

parentPort?.on('message', (asked: Statement | 'close') => {
  if (asked === 'close') {
    connection?.database.close()
    parentPort?.close()
    return
  }
  try {
    // Opened here, so that a file that cannot be is the answer to a statement too.
    connection ??= connect()
    parentPort?.postMessage({ result: run(connection, asked) })
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined
    parentPort?.postMessage({ error, errcode })
  }
})

function connect() {
  const database = new DatabaseSync(path, options)
  return { database, prepared: withPreparedStatements(database) }
}

function run({ database, prepared }: ReturnType<typeof connect>, { sql, parameters }: Statement) {
  // SQLite has already rolled back by itself after some errors, such as a full disk.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [] }
  const statement = prepared.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}
