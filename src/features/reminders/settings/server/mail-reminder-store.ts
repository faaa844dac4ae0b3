import type { Database } from '#platform/database/database.ts'

/** Whether a user also wants reminders by mail. */
export async function isRemindedByMail(db: Database, user: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('mail_reminders')
    .select('user_id')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row !== undefined
}

export async function remindByMail(db: Database, user: string, on: boolean): Promise<void> {
  await db.write(async (tx) => {
    if (on) {
      await tx
        .insertInto('mail_reminders')
        .values({ user_id: user })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute()
      return
    }
    await tx.deleteFrom('mail_reminders').where('user_id', '=', user).execute()
    await tx.deleteFrom('deliveries').where('user_id', '=', user).where('target', '=', 'mail').execute()
  })
}
