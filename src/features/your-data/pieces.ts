import {
  type ExportedAccount,
  type ImportPiece,
  mostDaysOfPiece,
  mostHabitsOfPiece,
} from './exported-account.ts'

/** Bytes of a piece on the wire. A request may have 65,536. */
const mostBytes = 60_000
/** Of one habit's completions at a time, so that those of ten years can be cut. */
const mostDays = 1_000

type Row =
  | { list: 'todos'; row: NonNullable<ImportPiece['todos']>[number] }
  | { list: 'habits'; row: NonNullable<ImportPiece['habits']>[number] }
  | { list: 'completions'; row: NonNullable<ImportPiece['completions']>[number] }
  | { list: 'focus_sessions'; row: NonNullable<ImportPiece['focus_sessions']>[number] }

/**
 * Everything of an account, cut into requests that are small enough, in an order in which each finds what it builds on.
 * Preferences come last: a zone that the server does not know must not keep the rest out.
 */
export function cutIntoPieces(
  exported: ExportedAccount,
  preferencesToo: boolean,
  most = mostBytes,
): ImportPiece[] {
  const pieces: ImportPiece[] = []
  let piece: ImportPiece = {}
  let size = 0
  let days = 0
  for (const row of rowsOf(exported)) {
    const bytes = bytesOf(row.row)
    const own = 'days' in row.row ? row.row.days.length : 0
    const isFull =
      size + bytes > most || days + own > mostDaysOfPiece || piece.completions?.length === mostHabitsOfPiece
    if (size > 0 && isFull) {
      pieces.push(piece)
      piece = {}
      size = 0
      days = 0
    }
    put(piece, row)
    days += own
    // Its share of what stands around it: a comma, and the name of a list now and then.
    size += bytes + 1 + (size === 0 ? 100 : 0)
  }
  if (size > 0) pieces.push(piece)
  if (preferencesToo) pieces.push({ preferences: exported.preferences })
  return pieces
}

function* rowsOf({ todos, habits, focus_sessions }: ExportedAccount): Generator<Row> {
  for (const row of todos) yield { list: 'todos', row }
  for (const { completions, ...row } of habits) {
    yield { list: 'habits', row }
    for (let next = 0; next < completions.length; next += mostDays) {
      const days = completions.slice(next, next + mostDays)
      yield { list: 'completions', row: { habit_id: row.id, days } }
    }
  }
  for (const row of focus_sessions) yield { list: 'focus_sessions', row }
}

function put(piece: ImportPiece, { list, row }: Row): void {
  piece[list] ??= []
  if (list === 'todos') piece.todos?.push(row)
  else if (list === 'habits') piece.habits?.push(row)
  else if (list === 'completions') piece.completions?.push(row)
  else piece.focus_sessions?.push(row)
}

function bytesOf(row: object): number {
  return new TextEncoder().encode(JSON.stringify(row)).byteLength
}
