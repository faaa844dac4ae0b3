// Preload this into a server (`--import`) to make it the next version, with the migration that NEXT_VERSION names.
import { sql } from 'kysely'
import { migrations } from '#platform/database/migrations/migrations.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

const steps: Record<string, MigrationStep> = {
  adds: {
    name: '9000-mood-only-adds',
    async up(db) {
      await db.schema.alterTable('todos').addColumn('mood', 'text').execute()
    },
  },
  changes: {
    name: '9000-moods',
    async up(db, engine) {
      await db.schema.alterTable('todos').addColumn('mood', 'text').execute()
      if (engine === 'postgres') await sql`select pg_sleep(1)`.execute(db)
    },
  },
}

const step = steps[process.env.NEXT_VERSION ?? '']
if (!step) throw new Error('Say in NEXT_VERSION which step it has')
Array.prototype.push.call(migrations, step)
