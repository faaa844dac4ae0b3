/**
 * The ending of the names of steps that older programs can keep working beside: they only add tables and optional columns.
 * `only-adds.test.ts` enforces that. The name tells programs that were made before the step.
 */
export const onlyAddsSuffix = '-only-adds'

export function onlyAdds(step: string): boolean {
  return step.endsWith(onlyAddsSuffix)
}
