/**
 * The end of the name of a step that an older program may work beside: it only adds tables, and columns that may be left
 * out. `only-adds.test.ts` holds it to that. The name tells programs that were made before the step.
 */
export const onlyAddsSuffix = '-only-adds'

export function onlyAdds(step: string): boolean {
  return step.endsWith(onlyAddsSuffix)
}
