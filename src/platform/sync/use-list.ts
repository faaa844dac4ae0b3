import type { List } from './list.ts'
import type { Write } from './write.ts'

export interface ListState<Row> {
  /** What the server said with the queued writes laid over it; undefined until anything is known. */
  rows: Row[] | undefined
  /** 'failed' only while there is nothing to show: a failed refresh keeps the last known rows. */
  status: 'loading' | 'ready' | 'failed'
  retry(): void
}

export declare function useList<Row>(list: List<Row>): ListState<Row>

/**
 * Queues a write: shown at once, and the promise says true once it is durable on the device.
 * False: the device could not keep it, it is shown no longer and the person was told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

export declare function useWrite(): QueueWrite
