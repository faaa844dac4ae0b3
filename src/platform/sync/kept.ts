import type { Write } from './write.ts'

/** Something of an account that only this device knows, one for all of its tabs: a running timer, for example. */
export interface Kept<Value> {
  /** Names it on the device; never reused for another shape. */
  name: string
  /** Of what is kept, undefined where that is nothing; what an older build kept may have any shape. */
  parse(stored: unknown): Value
}

/** What becomes of a kept value, and the write that goes with it: the device takes both or neither. */
export interface KeptStep<Value, Row, Vars> {
  value: Value
  queue?: { write: Write<Row, Vars>; vars: Vars }
}
