import type { List } from './list.ts'
import type { AnyWrite, Write } from './write.ts'

/** Something of an account that is changed on this device, whose tabs have one of it: a running timer, for example. */
export interface Kept<Value, Row = never> {
  /** Names it on the device. */
  name: string
  /** Of what is kept: null or undefined where that is nothing, and of any shape where another build kept it. */
  parse(stored: unknown): Value
  /** By which the server tells what other devices made of it, in its first row. */
  list?: List<Row>
}

/** What becomes of a kept value, and the writes that go with it: the device takes all or none. */
export interface KeptStep<Value> {
  value: Value
  queue?: readonly Queued[]
}

/** A write with variables of its own, made by `queued`. */
export interface Queued {
  write: AnyWrite
  vars: unknown
}

export function queued<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Queued {
  return { write, vars }
}

/** `known`: what the server last said of it, unless a write of this device is not in that yet. */
export type TakeKeptStep<Value, Row> = (value: Value, known: Row | undefined) => KeptStep<Value>

/** Undefined also where another build kept the answer in another shape: it is read anew. */
export function firstRow<Row>(list: List<Row>, answer: unknown): Row | undefined {
  if (answer === undefined) return undefined
  try {
    return list.rows(answer)[0]
  } catch {
    return undefined
  }
}
