/**
 * What migrations were called when they landed, and their names since. Half of the programs that were on `main` had some by
 * their former names. No migration may take one of these again, and none is renamed any more: `landed.test.ts` holds them.
 */
export const formerNames: Readonly<Record<string, string>> = {
  '0007-reminders': '0008-reminders',
  '0008-revisions': '0009-revisions',
  '0009-counting': '0007-counting',
  '0010-revisions': '0009-revisions',
  '0011-fewer-indexes': '0011-partial-completions',
}
