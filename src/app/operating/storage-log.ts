import type { Logger } from 'pino'
import type { Storage } from '#platform/database/storage/storage.ts'
import { errcodeOf, type StorageProblem } from '#platform/database/storage/storage-problem.ts'

const descriptions: Record<StorageProblem, string> = {
  full: 'the disk is full',
  'read-only': 'the database is read-only',
  locked: 'another program holds the database',
  corrupt: 'the database is damaged: restore a backup',
  replaced: 'the database file was replaced or removed: restart Daymark',
  failing: 'the disk reports errors',
}

/** Logs one line when writing begins to fail and one when it works again, but none for the requests in between. */
export function logStorage(storage: Storage, log: Logger): void {
  storage.listen((change) => {
    const { problem } = change
    if ('seconds' in change) {
      log.info({ problem, seconds: change.seconds }, 'The database takes writes again')
      return
    }
    const { began, freeBytes } = change
    log.error(
      { problem, errcode: errcodeOf(began), freeBytes },
      `Nothing can be stored: ${descriptions[problem]}`,
    )
  })
}
