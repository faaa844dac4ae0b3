/**
 * What the search of the screen has in hand, for lists that a key waits for. `on`: whether the rows are those that it finds. `asked`: a
 * number that changes whenever it may find other rows. `isHalfTyped`: whether something typed in a row was not saved.
 */
export const searchInUse = { on: false, asked: 0, isHalfTyped: (_id: string): boolean => false }
