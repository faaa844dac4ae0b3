/** How far the removal of deleted data from a file has got (`scrub.ts`), as stored in the file's `user_version`. */
export const marks = { none: 0, erased: 1, rewritten: 2 }
