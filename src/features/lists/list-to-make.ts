/** A list that is about to be made. */
export interface ListToMake {
  id: string
  /** Makes it. What else is written in the same turn of the event loop is undone with it. */
  make(): Promise<boolean>
}

/** Gets a list of that name ready. */
export type MakeList = (name: string) => Promise<ListToMake>
