// Without an export this would be the module itself, and not an addition to it.
export {}

declare module '#platform/database/tables.ts' {
  interface Tables {
    push_keys: PushKeysTable
  }
}

/** One row: the pair of keys by which push services know this Daymark. */
interface PushKeysTable {
  id: 1
  public_key: string
  private_key: string
}
