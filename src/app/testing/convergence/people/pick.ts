/** The thing that a number stands for; undefined if there is none. */
export function pick<Thing>(things: readonly [Thing, ...Thing[]], which: number): Thing
export function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined
export function pick<Thing>(things: readonly Thing[] | undefined, which: number): Thing | undefined {
  return things?.[which % Math.max(1, things.length)]
}
