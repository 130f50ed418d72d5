import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Columns } from '../../src/db/columns.ts';
import type { Statement } from '../../src/db/statement.ts';

const { builtins } = pg.types;

/** The names of the types that statements can return, by OID. The OIDs are the same in all releases of PostgreSQL. */
const typeNames: ReadonlyMap<number, string> = new Map([
  [builtins.BOOL, 'bool'],
  [builtins.INT4, 'int4'],
  [1007, 'int4[]'],
  [builtins.INT8, 'int8'],
  [builtins.FLOAT8, 'float8'],
  [19, 'name'],
  [builtins.TEXT, 'text'],
  [1009, 'text[]'],
  [builtins.VARCHAR, 'text'],
  [builtins.UUID, 'uuid'],
  [2951, 'uuid[]'],
  [builtins.TIMESTAMPTZ, 'timestamptz'],
  [builtins.JSON, 'json'],
  [builtins.JSONB, 'jsonb'],
]);

/** The PostgreSQL types that correspond to Prisma's types, unless an attribute says otherwise. */
const prismaTypes: Readonly<Record<string, string>> = {
  Boolean: 'bool',
  Int: 'int4',
  BigInt: 'int8',
  Float: 'float8',
  String: 'text',
  DateTime: 'timestamptz',
  Json: 'jsonb',
};

export interface ModelColumn {
  readonly table: string;
  readonly column: string;
  /**
   * The type as a statement declares it. A question mark means that the column can be NULL, as in `int4?`.
   */
  readonly type: string;
}

const mappedName = (text: string, attribute: string): string | undefined =>
  new RegExp(`${attribute}\\("([^"]+)"\\)`).exec(text)?.[1];

/** Reads the columns of the models in schema.prisma, keyed by names such as `Document.parentId`. */
function readModelColumns(): ReadonlyMap<string, ModelColumn> {
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const columns = new Map<string, ModelColumn>();
  for (const [, model = '', body = ''] of schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) {
    const table = mappedName(body, '@@map') ?? model;
    for (const line of body.split('\n')) {
      const [, field = '', name = '', list = '', optional = ''] =
        /^\s+(\w+)\s+(\w+)(\[\])?(\?)?/.exec(line) ?? [];
      const type = line.includes('@db.Uuid') ? 'uuid' : prismaTypes[name];
      if (!type) continue;
      const column = mappedName(line, '@map') ?? field;
      columns.set(`${model}.${field}`, { table, column, type: `${type}${list}${optional}` });
    }
  }
  return columns;
}

export const modelColumns = readModelColumns();

const bare = (type: string): string => type.replace(/\?$/, '');

/**
 * Returns the PostgreSQL type of a declared column. If the declaration names a column of a model, the type is taken
 * from schema.prisma.
 */
function typeOf(declared: string): string {
  const known = modelColumns.get(bare(declared));
  if (!known) return declared;
  return declared.endsWith('?') ? `${bare(known.type)}?` : known.type;
}

interface AnsweredField {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Returns whether a declared column can be NULL. */
export const isNullable = (declared: string): boolean => typeOf(declared).endsWith('?');

/** Returns the differences between the columns that PostgreSQL returns and the declared ones. */
export function columnDifferences(columns: Columns, fields: readonly AnsweredField[]): string[] {
  const found = new Map(
    fields.map(({ name, dataTypeID }) => [name, typeNames.get(dataTypeID) ?? dataTypeID]),
  );
  const missing = Object.keys(columns).filter((name) => !found.has(name));
  const undeclared = [...found.keys()].filter((name) => !Object.hasOwn(columns, name));
  const others = Object.entries(columns).flatMap(([name, declared]) => {
    const [type, actual] = [bare(typeOf(declared)), found.get(name)];
    return actual === undefined || actual === type
      ? []
      : [`"${name}" is ${actual}, not ${type} (${declared})`];
  });
  return [
    ...missing.map((name) => `"${name}" is declared but not returned`),
    ...undeclared.map((name) => `"${name}" is returned but not declared`),
    ...others,
  ];
}

/** The maximum number of rows in a result whose values are checked. */
const maxCheckedRows = 20;

/** Returns the columns that are NULL in some row although their declared type does not allow it. */
function unexpectedNulls(columns: Columns, rows: ReadonlyArray<Record<string, unknown>>): string[] {
  const never = Object.entries(columns).filter(([, declared]) => !isNullable(declared));
  const faulty = never.filter(([name]) => rows.some((row) => row[name] === null));
  return faulty.map(([name, declared]) => `"${name}" is NULL, which ${declared} does not allow`);
}

/** Checks the result of a statement. @throws Error if the result does not match the declared columns */
export function checkAnswer(
  { name, text, columns = {} }: Statement,
  { fields, rows }: Pick<pg.QueryResult, 'fields' | 'rows'>,
): void {
  const faults = [
    ...columnDifferences(columns, fields),
    ...unexpectedNulls(columns, rows.slice(0, maxCheckedRows)),
  ];
  if (faults.length > 0)
    throw new Error(`The statement ${name || text} declares other columns:\n${faults.join('\n')}`);
}

interface DescribedField extends AnsweredField {
  readonly tableID: number;
  readonly columnID: number;
}

/** A query for `pg` that makes PostgreSQL parse a statement and describe its columns without running it. */
class Description {
  readonly text: string;
  readonly settle: (error: Error | undefined, fields: readonly DescribedField[]) => void;
  #fields: readonly DescribedField[] = [];

  constructor(text: string, settle: Description['settle']) {
    this.text = text;
    this.settle = settle;
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedField[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.settle(error, []);
  }

  handleReadyForQuery(): void {
    this.settle(undefined, this.#fields);
  }
}

/**
 * Returns the columns of the rows that a statement returns, each with the table column that it comes from.
 */
export const describeStatement = (client: pg.Client, text: string): Promise<readonly DescribedField[]> =>
  new Promise((resolve, reject) => {
    const settle: Description['settle'] = (error, fields) => (error ? reject(error) : resolve(fields));
    client.query(new Description(text, settle));
  });
