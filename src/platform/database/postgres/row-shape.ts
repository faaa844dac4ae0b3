import pg from 'pg'

/** A column of a result, as the server describes it. */
export interface Field {
  name: string
  dataTypeID: number
}

/** What makes rows out of what the server sends. */
export interface Shape {
  columns: readonly (Field & { parse: (text: string) => unknown })[]
  /** A row without values: copying one is faster than adding its columns one by one. */
  empty: Readonly<Record<string, unknown>>
}

/** By the names of statements, of which there are not many. */
const shapes = new Map<string, Shape>()

/** The shape of a statement's rows. What is known of a statement with this name is used if the server says the same again. */
export function shapeOf(name: string | undefined, fields: readonly Field[]): Shape {
  const known = name === undefined ? undefined : shapes.get(name)
  if (known && isSame(known.columns, fields)) return known
  const shape = {
    columns: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID, parse: getTypeParser(dataTypeID) })),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  }
  if (name !== undefined) shapes.set(name, shape)
  return shape
}

/** Throws a RangeError if a number is too large. */
export function rowIn({ columns, empty }: Shape, texts: readonly (string | null)[]): unknown {
  const row: Record<string, unknown> = { ...empty }
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place]
    const text = texts[place] ?? null
    // Also where there is nothing: of columns with the same name, the last one counts.
    if (column) row[column.name] = text === null ? null : column.parse(text)
  }
  return row
}

/** Parses integers, which arrive as text because they can exceed the range of a number. Ours (instants, counts, sums) do not. */
export function getTypeParser(type: number, format?: 'text' | 'binary') {
  const { INT8, NUMERIC } = pg.types.builtins
  return type === INT8 || type === NUMERIC ? exactNumber : pg.types.getTypeParser(type, format)
}

function exactNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is too large for a number`)
  return number
}

function isSame(some: readonly Field[], others: readonly Field[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, dataTypeID }, place) => {
      const other = others[place]
      return name === other?.name && dataTypeID === other.dataTypeID
    })
  )
}
