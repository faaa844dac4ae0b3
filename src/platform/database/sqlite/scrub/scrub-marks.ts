/** How far the scrubbing of a file has got, as stored in its `user_version`. */
export const marks = { none: 0, erased: 1, rewritten: 2 }
