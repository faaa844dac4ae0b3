/** Why nothing can be stored, in an operator's terms. */
export type StorageProblem = 'full' | 'read-only' | 'locked' | 'corrupt' | 'replaced' | 'failing'

/** A problem that we detected ourselves, not one that the database reported. */
export class StorageFailure extends Error {
  readonly problem: StorageProblem

  constructor(problem: StorageProblem) {
    super(`Nothing can be stored: ${problem}`)
    this.problem = problem
  }
}

// SQLite's extended codes whose meaning differs from the primary code in their low byte.
const ofExtendedCode = new Map<number, StorageProblem>([
  // READONLY_DBMOVED: the file is no longer where it was opened.
  [1032, 'replaced'],
  // IOERR_SHMSIZE: no room for the index of the write-ahead log.
  [4874, 'full'],
  // IOERR_CORRUPTFS: the file system is damaged.
  [8458, 'corrupt'],
])

// SQLite's primary codes, in this order: BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
const ofKind = new Map<number, StorageProblem>([
  [5, 'locked'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'failing'],
  [11, 'corrupt'],
  [13, 'full'],
  [14, 'failing'],
  [26, 'corrupt'],
])

// PostgreSQL's codes, in this order: disk_full, read_only_sql_transaction, data_corrupted, index_corrupted, io_error.
const ofPostgres = new Map<string, StorageProblem>([
  ['53100', 'full'],
  ['25006', 'read-only'],
  ['XX001', 'corrupt'],
  ['XX002', 'corrupt'],
  ['58030', 'failing'],
])

/** The storage problem that an error indicates; undefined if it indicates none. */
export function storageProblemOf(error: unknown): StorageProblem | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof StorageFailure) return error.problem
  const errcode = errcodeOf(error)
  if (errcode !== undefined) return ofExtendedCode.get(errcode) ?? ofKind.get(errcode & 0xff)
  return 'code' in error ? ofPostgres.get(String(error.code)) : undefined
}

/** SQLite's error number: the low byte is the primary code, the rest refines it. */
export function errcodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}
