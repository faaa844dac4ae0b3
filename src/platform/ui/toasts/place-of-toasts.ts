/** A rectangle in the window. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Shift {
  x: number
  y: number
}

/** Pixels that stay free between toasts and the edges of the window, and above a sheet that leaves little room. */
const least = 2

/**
 * How far toasts have to move from their usual place, left or up, so that they cover none of the obstacles: the shortest way.
 * `gap`: the pixels between them. Undefined if there is no such place.
 */
export function placeOfToasts(usual: Box, obstacles: readonly Box[], gap: number): Shift | undefined {
  return placeWith(gap, usual, obstacles) ?? placeWith(least, usual, obstacles)
}

function placeWith(gap: number, usual: Box, obstacles: readonly Box[]): Shift | undefined {
  const at = (x: number, y: number): Box => ({
    left: usual.left + x,
    right: usual.right + x,
    top: usual.top + y,
    bottom: usual.bottom + y,
  })
  const lefts = [0, ...obstacles.map(({ left }) => left - gap - usual.right)]
  const ups = [0, ...obstacles.map(({ top }) => top - gap - usual.bottom)]
  return lefts
    .flatMap((x) => ups.map((y) => ({ x, y })))
    .filter(({ x, y }) => x <= 0 && y <= 0 && usual.left + x >= least && usual.top + y >= least)
    .filter(({ x, y }) => obstacles.every((obstacle) => !overlap(at(x, y), obstacle)))
    .sort((one, other) => distance(one) - distance(other))[0]
}

/** The height that a sheet at the bottom has to leave free for toasts of this height. */
export function roomAboveSheet(height: number): number {
  return height + 2 * least
}

function distance({ x, y }: Shift): number {
  return Math.abs(x) + Math.abs(y)
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
