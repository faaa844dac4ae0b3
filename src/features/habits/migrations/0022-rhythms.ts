import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Adds rhythms, amounts, skips, pauses and the order of habits. */
export const rhythms: MigrationStep = {
  name: '0022-rhythms',
  async up(db) {
    await db.schema
      .createTable('rhythms')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('habit_id', 'text', (column) => column.notNull())
      .addColumn('from_day', 'text', (column) => column.notNull())
      .addColumn('rhythm', 'text')
      .addColumn('rhythm_at', 'bigint', (column) => column.notNull())
      // The frequency that an older client wrote. It changes the rhythm only if the current rhythm corresponds to the other
      // frequency.
      .addColumn('frequency', 'text')
      .addColumn('frequency_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('target', 'text')
      .addColumn('target_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('rhythms_pkey', ['user_id', 'habit_id', 'from_day'])
      .addForeignKeyConstraint(
        'rhythms_habit_fkey',
        ['user_id', 'habit_id'],
        'habits',
        ['user_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    // The frequency of each habit becomes its first rhythm.
    await sql`
      insert into rhythms (user_id, habit_id, from_day, rhythm, rhythm_at, target, target_at)
      select user_id, id, start_day,
        case frequency when 'daily' then '{"every":1}' else '{"times":1,"per":"week"}' end,
        frequency_at, '"yes"', 0
      from habits
    `.execute(db)

    await db.schema.dropIndex('habits_counted').execute()
    for (const column of ['frequency', 'frequency_at', 'earlier_rhythm', 'earlier_run', 'earlier_longest']) {
      await db.schema.alterTable('habits').dropColumn(column).execute()
    }
    // The sums of earlier days have a new format. Each sum is computed again when it is next needed.
    await db.schema.alterTable('habits').addColumn('earlier_name', 'text').execute()
    await db.schema.alterTable('habits').addColumn('earlier_sum', 'text').execute()
    // A habit without a position keeps the place that its creation gives it. Instant 0 lets any change of these fields win.
    await db.schema.alterTable('habits').addColumn('position', 'text').execute()
    await db.schema.alterTable('habits').addColumn('archived_at', 'bigint').execute()
    for (const column of ['position_at', 'archive_changed_at']) {
      await db.schema
        .alterTable('habits')
        .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .createIndex('habits_counted')
      .on('habits')
      .columns(['user_id', 'deleted_at', 'id', 'start_day', 'archived_at'])
      .execute()

    await db.schema
      .alterTable('completions')
      .addColumn('skipped', 'integer', (added) => added.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('completions')
      .addColumn('note', 'text', (added) => added.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('completions')
      .addColumn('note_at', 'bigint', (added) => added.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('completions_skipped')
      .on('completions')
      .columns(['user_id', 'day', 'habit_id', 'skipped'])
      .where(sql<boolean>`skipped = 1`)
      .execute()

    await db.schema
      .createTable('amounts')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('habit_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('value', 'bigint', (column) => column.notNull())
      .addColumn('is_set', 'integer', (column) => column.notNull())
      .addColumn('settles', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('amounts_pkey', ['user_id', 'id'])
      .addForeignKeyConstraint(
        'amounts_habit_fkey',
        ['user_id', 'habit_id'],
        'habits',
        ['user_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('amounts_of_habit')
      .on('amounts')
      .columns(['user_id', 'habit_id', 'day'])
      .execute()
    await db.schema
      .createIndex('amounts_of_day')
      .on('amounts')
      .columns(['user_id', 'day', 'habit_id'])
      .where(sql<boolean>`deleted_at is null`)
      .execute()

    await db.schema
      .createTable('pauses')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('habit_id', 'text')
      .addColumn('from_day', 'text', (column) => column.notNull())
      .addColumn('from_day_at', 'bigint', (column) => column.notNull())
      .addColumn('to_day', 'text')
      .addColumn('to_day_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('pauses_pkey', ['user_id', 'id'])
      .execute()
    for (const table of ['amounts', 'pauses']) {
      await db.schema
        .createIndex(`${table}_by_deletion`)
        .on(table)
        .columns(['deleted_at', 'user_id', 'id'])
        .where(sql<boolean>`deleted_at is not null`)
        .execute()
    }
  },
}
