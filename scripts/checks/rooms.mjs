// Where the rooms of the source stand (docs/architecture.md): read by the walls, and by the check that none is too full.

/**
 * The rooms of a folder from the lowest to the highest: a room uses only those below it. A `web` or a `server` room is all of that
 * side, `rules` are of neither, and what is of `both` has a `server/` and a `web/`. `.` is what stands in the folder itself, or in a
 * `server/` or `web/` of the folder's own; where it is not told, it stands above all rooms.
 *
 * @type {Record<string, Record<string, 'rules' | 'server' | 'web' | 'both'>>}
 */
export const rooms = {
  'src/features/todos': {
    'repeat/rule': 'rules',
    todo: 'both',
    'repeat/history': 'both',
    subtasks: 'web',
    tags: 'both',
    dates: 'both',
    'repeat/picker': 'web',
    completed: 'both',
    'quick-add/reading': 'rules',
    'quick-add/field': 'web',
    row: 'web',
    selection: 'web',
    details: 'web',
    board: 'web',
    pages: 'web',
  },
}
