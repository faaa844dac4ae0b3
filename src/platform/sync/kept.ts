import type { Write } from './write.ts'

/** Something of an account that only this device knows, one for all of its tabs: a running timer, for example. */
export interface Kept<Value> {
  /** Names it on the device. */
  name: string
  /** Of what is kept: null or undefined where that is nothing, and of any shape where another build kept it. */
  parse(stored: unknown): Value
}

/** What becomes of a kept value, and the write that goes with it: the device takes both or neither. */
export interface KeptStep<Value, Row, Vars> {
  value: Value
  queue?: { write: Write<Row, Vars>; vars: Vars }
}
