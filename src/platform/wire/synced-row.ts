import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'

// Each kind of synced row declares its fields once, in its feature's `<noun>-row.ts`. The declaration determines what is sent,
// accepted, stored, merged, exported and imported.

/** The value of a column: only types that both database engines have. */
export type ColumnValue = string | number | null
export type Columns = Record<string, ColumnValue>

export type Field = Described & (Edited | { changedAt?: undefined; label?: undefined })

interface Edited {
  /**
   * The column with the instant of the field's last change; edits older than that are ignored. Left out if the field cannot be
   * edited.
   */
  changedAt: string
  /** The name of the field in messages about a change: with 'Priority', Undo says 'Priority changed'. */
  label: string
}

interface Described {
  /** The schema of the field on the wire, as the server sends it to devices. */
  wire: z.ZodMiniType
  /** The schema for input from people and files, if that is stricter. */
  accepts?: z.ZodMiniType
  /** The value in rows that an older build stored or exported without the field, and in new rows that leave it out. */
  whenMissing?: unknown
  /** The value in new rows that leave it out, if every older row has the field. A field with neither default is required. */
  initial?: unknown
  /** The replacement for a value of an unknown form, if the field has no default (`known-forms.ts`). */
  none?: unknown
  /** Where the field is visible: only in files, or only on the server. Left out if it is visible everywhere. */
  visibility?: 'file-only' | 'server-only'
  /** The name of the column, if it differs from the field's. */
  column?: string
  /** How the value is stored, if not as on the wire: an instant's text as a number, or one value in several columns. */
  stored?: 'instant' | Stored
}

/** The functions are declared as methods, so that each implementation can take the type of its own value. */
export interface Stored {
  toColumns(value: unknown): Columns
  fromColumns(row: Columns): unknown
}

export type Fields = Record<string, Field>

type Editable = { changedAt: string }
/** Fields that every row gets when it is created. */
type CreationField = 'id' | 'created_at' | 'updated_at'
type OnWire<F extends Fields, Name extends keyof F> = F[Name] extends { visibility: string } ? never : Name
type InFile<F extends Fields, Name extends keyof F> = F[Name] extends { visibility: 'server-only' }
  ? never
  : Name
type Accepted<Each extends Field> = Each extends { accepts: infer Narrow extends z.ZodMiniType }
  ? Narrow
  : Each['wire']
type Defaulted<Each extends Field, Schema extends z.ZodMiniType> = Each extends { whenMissing: unknown }
  ? z.ZodMiniDefault<Schema>
  : Schema

type WireShape<F extends Fields> = { [Name in keyof F as OnWire<F, Name>]: F[Name]['wire'] }
type LocalShape<F extends Fields> = {
  [Name in keyof F as OnWire<F, Name>]: Defaulted<F[Name], F[Name]['wire']>
}
type FileShape<F extends Fields> = {
  [Name in keyof F as InFile<F, Name>]: Defaulted<F[Name], Accepted<F[Name]>>
}
type NewShape<F extends Fields> = {
  [Name in keyof F as F[Name] extends Editable ? Name : never]: F[Name] extends { initial: unknown }
    ? z.ZodMiniDefault<Accepted<F[Name]>>
    : F[Name] extends { whenMissing: unknown }
      ? z.ZodMiniOptional<Accepted<F[Name]>>
      : Accepted<F[Name]>
}
type EditShape<F extends Fields> = {
  [Name in keyof F as F[Name] extends Editable ? Name : never]: z.ZodMiniOptional<Accepted<F[Name]>>
}

/** A row's values on the wire. */
export type WireOf<F extends Fields> = { [Name in keyof WireShape<F>]: z.output<WireShape<F>[Name]> }
/** A row's values in files. */
export type FileOf<F extends Fields> = { [Name in keyof FileShape<F>]: z.output<FileShape<F>[Name]> }
/** All values of a row. */
export type AllOf<F extends Fields> = { [Name in keyof F]: z.output<Accepted<F[Name]>> }
/** The values for a new row, without those that are set on creation. */
export type NewOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends { initial: unknown } | { whenMissing: unknown }
    ? never
    : Exclude<Name, CreationField>]: z.output<Accepted<F[Name]>>
} & {
  [Name in keyof F as F[Name] extends { initial: unknown } | { whenMissing: unknown } ? Name : never]?:
    | z.output<Accepted<F[Name]>>
    | undefined
}
/** The fields that an edit can change, all optional. */
export type EditOf<F extends Fields> = {
  [Name in keyof EditShape<F>]?: z.output<EditShape<F>[Name]> | undefined
}
/** The editable fields that are visible on the wire. */
export type EditedOf<F extends Fields> = Pick<WireOf<F>, keyof WireOf<F> & keyof EditShape<F>>
type ValuesWhenMissing<F extends Fields> = {
  [Name in keyof F as F[Name] extends { whenMissing: unknown } ? Name : never]: z.output<Accepted<F[Name]>>
}

/** The fields of a row in a response. */
export function wireShape<F extends Fields>(fields: F): WireShape<F> {
  return shape(fields, ({ visibility, wire }) => (visibility ? undefined : wire))
}

/** The fields of a row in a device's local store, which the previous version may have written. */
export function localShape<F extends Fields>(fields: F): LocalShape<F> {
  return shape(fields, (field) => (field.visibility ? undefined : defaulted(field, field.wire)))
}

/** The fields of a row in a file, which an older build may have written. */
export function fileShape<F extends Fields>(fields: F): FileShape<F> {
  return shape(fields, (field) =>
    field.visibility === 'server-only' ? undefined : defaulted(field, acceptedSchema(field)),
  )
}

/** The fields of the request that adds a row: all editable fields. */
export function newShape<F extends Fields>(fields: F): NewShape<F> {
  return shape(fields, (field) => {
    if (field.changedAt === undefined) return undefined
    if (field.initial !== undefined) return z._default(acceptedSchema(field), field.initial)
    return field.whenMissing === undefined ? acceptedSchema(field) : z.optional(acceptedSchema(field))
  })
}

/** The fields of the request that edits a row. Fields that are left out stay as they are. */
export function editShape<F extends Fields>(fields: F): EditShape<F> {
  return shape(fields, (field) =>
    field.changedAt === undefined ? undefined : z.optional(acceptedSchema(field)),
  )
}

/** Whether an edit changes anything. */
export function editsAny(fields: Fields, edit: object): boolean {
  return Object.entries(edit).some(
    ([name, value]) => value !== undefined && fields[name]?.changedAt !== undefined,
  )
}

/** The values of a row's editable fields, as devices know them. */
export function editedValues<F extends Fields>(fields: F, row: EditedOf<F>): EditedOf<F> {
  return assembled(Object.fromEntries(editedNames(fields).map((name) => [name, row[name]])))
}

/** The names of the editable fields, as devices know them. */
export function editedNames<F extends Fields>(fields: F): (keyof EditedOf<F>)[] {
  const isEdited = (name: string): name is keyof EditedOf<F> & string =>
    fields[name]?.changedAt !== undefined && !fields[name].visibility
  return Object.keys(fields).filter(isEdited)
}

/** The replacements for values of an unknown form, by field (`known-forms.ts`). */
export function nonesOf(fields: Fields): Record<string, unknown> {
  const nones: Record<string, unknown> = {}
  for (const [name, { whenMissing, initial, none }] of Object.entries(fields)) {
    const known = [whenMissing, initial, none].find((value) => value !== undefined)
    if (known !== undefined) nones[name] = known
  }
  return nones
}

/** The values for fields that rows from an older build may lack. */
export function valuesWhenMissing<F extends Fields>(fields: F): ValuesWhenMissing<F> {
  return assembled(
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { whenMissing }]) =>
        whenMissing === undefined ? [] : [[name, whenMissing]],
      ),
    ),
  )
}

/** TypeScript cannot infer a mapped type for an object that is assembled key by key, so the caller states the type. */
export function assembled<Whole>(parts: Record<string, unknown>): Whole {
  return parts as Whole
}

function shape<Shape>(fields: Fields, schemaOf: (field: Field) => z.ZodMiniType | undefined): Shape {
  const schemas: Record<string, z.ZodMiniType> = {}
  for (const [name, field] of Object.entries(fields)) {
    const schema = schemaOf(field)
    if (schema) schemas[name] = schema
  }
  return assembled(schemas)
}

function acceptedSchema({ accepts, wire }: Field): z.ZodMiniType {
  return accepts ?? wire
}

function defaulted({ whenMissing }: Field, schema: z.ZodMiniType): z.ZodMiniType {
  return whenMissing === undefined ? schema : z._default(schema, whenMissing)
}

type ColumnsOfField<Name, Each extends Field> = (Each extends {
  stored: { toColumns(value: never): infer Several }
}
  ? Several
  : Record<
      Each extends { column: infer Column extends string } ? Column : Name & string,
      Each extends { stored: 'instant' }
        ? Instant | Extract<z.output<Each['wire']>, null>
        : z.output<Each['wire']>
    >) &
  (Each extends { changedAt: infer Column extends string } ? Record<Column, Instant> : unknown)

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The columns that store the fields and the instants of their last changes. */
export type ColumnsOf<F extends Fields> = UnionToIntersection<
  { [Name in keyof F]: ColumnsOfField<Name, F[Name]> }[keyof F]
>
