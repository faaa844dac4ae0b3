export interface PushTables {
  push_keys: PushKeysTable
}

/** One row: the pair of keys by which push services know this Daymark. */
interface PushKeysTable {
  id: 1
  public_key: string
  private_key: string
}
