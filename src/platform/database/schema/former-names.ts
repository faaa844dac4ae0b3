/**
 * Names that migrations had when they landed, and the names they have now. Half of the programs that were on `main` knew some
 * migrations by their former names. No migration may reuse a former name, and none may be renamed any more: `landed.test.ts`
 * checks both.
 */
export const formerNames: Readonly<Record<string, string>> = {
  '0007-reminders': '0008-reminders',
  '0008-revisions': '0009-revisions',
  '0009-counting': '0007-counting',
  '0010-revisions': '0009-revisions',
  '0011-fewer-indexes': '0011-partial-completions',
}
