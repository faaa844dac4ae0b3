import type { Run, Stretch } from '../timer/phase.ts'

/** Milliseconds of a run during which one of the other runs was running too. */
export function shared({ stretches }: Run, others: readonly Run[]): number {
  const theirs = others.flatMap((other) => other.stretches)
  return uncovered(stretches, []) - uncovered(stretches, theirs)
}

/** Milliseconds of `stretches` that overlap none of `others`. */
export function uncovered(stretches: readonly Stretch[], others: readonly Stretch[]): number {
  const edges = [...stretches, ...others].flatMap(({ from, to }) => [from, to]).toSorted((a, b) => a - b)
  const isIn = (list: readonly Stretch[], from: number, to: number) =>
    list.some((each) => each.from <= from && to <= each.to)
  return edges
    .map((from, place) => [from, edges[place + 1] ?? from] as const)
    .filter(([from, to]) => isIn(stretches, from, to) && !isIn(others, from, to))
    .reduce((sum, [from, to]) => sum + to - from, 0)
}
