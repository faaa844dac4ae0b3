/**
 * How many times a property or a schedule is tried: `quick` in `npm test`, `deep` in `npm run test:deep`,
 * which sets DAYMARK_DEEP=1.
 */
export function runs(deep: number, quick: number): number {
  return process.env.DAYMARK_DEEP === '1' ? deep : quick
}
