import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * A migration that lasts until the test opens its gate. The SQL statement itself waits, like a slow one, so that the thread
 * that runs it can do nothing else meanwhile.
 */
export const waits: MigrationStep = {
  name: '9000-waits',
  async up(db, engine) {
    await sql`update "user" set name = name || ', updated'`.execute(db)
    if (engine === 'postgres') {
      await sql`select pg_advisory_xact_lock(9000)`.execute(db)
      return
    }
    await sql`attach database ${process.env.GATE} as gate`.execute(db)
    await sql`insert into gate.passed values (1)`.execute(db)
  },
}
