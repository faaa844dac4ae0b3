import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { withPreparedStatements } from './statements.ts'
import type { Statement, ThreadOptions } from './thread.ts'

// The worker thread of `thread.ts`. It runs each statement, and ends on request.

const { path, ...options }: ThreadOptions = workerData
let connection: ReturnType<typeof connect> | undefined

parentPort?.on('message', (request: Statement | 'close') => {
  if (request === 'close') {
    connection?.database.close()
    parentPort?.close()
    return
  }
  try {
    // Opened here, so that a failure to open the file is also returned as a statement's error.
    connection ??= connect()
    parentPort?.postMessage({ result: run(connection, request) })
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
  // After some errors, such as a full disk, SQLite has already rolled back by itself.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [] }
  const statement = prepared.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}
