// Without an export, this declaration would replace the module instead of extending it.
export {}

declare module '#platform/database/tables.ts' {
  interface Tables {
    push_keys: PushKeysTable
  }
}

/** A single row: the key pair by which push services know this Daymark. */
interface PushKeysTable {
  id: 1
  public_key: string
  private_key: string
}
