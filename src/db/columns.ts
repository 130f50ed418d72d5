import type { Prisma } from '../generated/prisma/client.ts';

/** Maps each PostgreSQL type that statements return to the TypeScript type that `pg` converts its values to. */
interface Values {
  bool: boolean;
  int4: number;
  'int4[]': number[];
  /** A string, because JavaScript numbers cannot represent every `int8`. */
  int8: string;
  float8: number;
  name: string;
  text: string;
  'text[]': string[];
  uuid: string;
  'uuid[]': string[];
  timestamptz: Date;
  json: unknown;
  jsonb: unknown;
}

type TypeName = keyof Values;

/** The name of a type, followed by a question mark if the value can be NULL, as in `int4?`. */
type ColumnType = TypeName | `${TypeName}?`;

declare const ofValue: unique symbol;

/**
 * A column along with the TypeScript type of its values: either a type name such as `int4?` or a column of a model,
 * such as `Document.path`.
 */
export type Column<Value> = string & { readonly [ofValue]: Value };

/** The columns of the rows that a statement returns, in any order. */
export type Columns = Readonly<Record<string, Column<unknown> | ColumnType>>;

type ValueOf<Declared> =
  Declared extends Column<infer Value>
    ? Value
    : Declared extends TypeName
      ? Values[Declared]
      : Declared extends `${infer Name extends TypeName}?`
        ? Values[Name] | null
        : never;

/** The type of a row with the declared columns. */
export type RowWith<Declared extends Columns> = {
  -readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** Declares columns for rows of the given type. */
export type ColumnsFor<Row> = {
  readonly [Name in keyof Row]-?: Column<Row[Name]> | TypeOf<Row[Name]>;
};

type TypeOf<Value> = { [Type in ColumnType]: ValueOf<Type> extends Value ? Type : never }[ColumnType];

type Fields<Model extends Prisma.ModelName> = Prisma.TypeMap['model'][Model]['payload']['scalars'];

/**
 * The fields whose type is the same in Prisma Client and in `pg`. An `int8` is excluded, because Prisma Client reads it
 * as a bigint; statements must name its type.
 */
type SharedField<Model extends Prisma.ModelName> = {
  [Name in keyof Fields<Model>]: Extract<Fields<Model>[Name], bigint | bigint[]> extends never ? Name : never;
}[keyof Fields<Model>] &
  string;

/** The columns that a statement reads from a model's table, selected by field name. */
export const modelColumns = <Model extends Prisma.ModelName, Name extends SharedField<Model>>(
  model: Model,
  ...names: readonly Name[]
): { readonly [Field in Name]: Column<Fields<Model>[Field]> } =>
  Object.fromEntries(names.map((name) => [name, `${model}.${name}`])) as {
    [Field in Name]: Column<Fields<Model>[Field]>;
  };

/** Makes every column nullable, for a table in an outer join that may have no matching row. */
export const nullableColumns = <Declared extends Columns>(columns: Declared) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, type]) => [name, type.endsWith('?') ? type : `${type}?`]),
  ) as unknown as { readonly [Name in keyof Declared]: Column<ValueOf<Declared[Name]> | null> };

type TypeHolding<Value> = {
  [Name in TypeName]: [NonNullable<Value>] extends [Values[Name]]
    ? null extends Value
      ? `${Name}?`
      : Name
    : never;
}[TypeName];

/** A column with a narrower TypeScript type than its PostgreSQL type, such as `jsonb` with a known structure. */
export const typed = <Value>(type: TypeHolding<Value>): Column<Value> => type as string as Column<Value>;
