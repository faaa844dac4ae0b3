/**
 * The ending of the name of a migration step that only adds tables and optional columns, so that older programs can keep working
 * beside it. `only-adds.test.ts` enforces that. A program that is older than the step knows nothing but its name.
 */
export const onlyAddsSuffix = '-only-adds'

export function onlyAdds(step: string): boolean {
  return step.endsWith(onlyAddsSuffix)
}
