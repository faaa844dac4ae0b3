import { type Change, clockTolerance } from '#app/testing/convergence/rules/rule.ts'

/**
 * The changes that may have put a value where it is. A text that somebody typed has one, and one more for each undo or redo that
 * brought it back; anybody may have ticked what is ticked. None if the value has been there from the beginning.
 */
export type Writers = readonly Change[]

/** Whether one change is older than another on every server, however far the clocks of two devices differ. */
function definitelyOlder(one: Change, other: Change): boolean {
  // An undo is made later than what it takes back, but counts as made right after that.
  const isInOrder = one.pressed === undefined && other.pressed === undefined
  if (isInOrder && one.device !== undefined && one.device === other.device) return one.number < other.number
  return one.at + clockTolerance < other.earliest
}

/** Whether a value is older than another one, whichever of their writers put them there. */
export function isOlderValue(one: Writers, other: Writers): boolean {
  return other.every((newer) => one.every((older) => definitelyOlder(older, newer)))
}

/** The order in which changes of one field stand in the end: the last one counts. */
export function inFinalOrder(one: Change, other: Change): number {
  return one.at - other.at || one.number - other.number
}
