import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/migrations/migration-step.ts'

/**
 * A migration that takes as long as somebody holds its gate. It is the statement itself that waits, as a slow one does: a
 * thread that ran it could do nothing else meanwhile.
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
