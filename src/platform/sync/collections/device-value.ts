import type { Collection } from './collection.ts'
import type { AnyWrite, Write } from './write.ts'

/** A value of an account that is changed on this device and shared by all its tabs, such as a running timer. */
export interface DeviceValue<Value, Row = never> {
  /** Key in the local store. */
  name: string
  /**
   * Parses a stored value. `stored` is null or undefined if nothing is stored, and may have any shape if another build stored it.
   */
  parse(stored: unknown): Value
  /** The collection whose first row is the value as the server has it; other devices may have changed it there. */
  collection?: Collection<Row>
}

/** The new value and the writes that belong to it. The local store takes all of them or none. */
export interface DeviceValueChange<Value> {
  value: Value
  queue?: readonly WriteToQueue[]
}

/** A write with its variables, made by `writeToQueue`. */
export interface WriteToQueue {
  write: AnyWrite
  vars: unknown
}

export function writeToQueue<Row, Vars>(write: Write<Row, Vars>, vars: Vars): WriteToQueue {
  return { write, vars }
}

/** Computes the next value. `fromServer`: the server's latest version; undefined while it lacks a write of this device. */
export type ChangeOfDeviceValue<Value, Row> = (
  value: Value,
  fromServer: Row | undefined,
) => DeviceValueChange<Value>

/** The first row of a response; undefined if there is none, or if another build stored the response in an unknown shape. */
export function firstRow<Row>(collection: Collection<Row>, response: unknown): Row | undefined {
  if (response === undefined) return undefined
  try {
    return collection.rows(response)[0]
  } catch {
    return undefined
  }
}
