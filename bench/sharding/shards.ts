import { parseSync } from 'libpg-query';

/** Of which shards a statement needs rows, where tables are spread by the values of one column. */
export type Shards = 'one shard' | 'some shards' | 'all shards' | 'no shard';

/** The column of each table that is spread. */
export type Spread = ReadonlyMap<string, readonly string[]>;

/** What a column is compared with: one value, or values of a list; undefined: nothing. */
type Bound = 'value' | 'list';

/** The column of one table, or of what a subquery gives, with the columns that are equal to it. */
interface Place {
  readonly table?: string;
  readonly equals: Set<Place>;
  bound?: Bound | undefined;
}

interface Scope {
  readonly places: Map<string, Place>;
  readonly queries: Map<string, Place>;
  readonly outer?: Scope | undefined;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nodeIn = (value: unknown, name: string): Node | undefined =>
  isNode(value) && isNode(value[name]) ? value[name] : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => String(nodeIn(value, 'String')?.sval ?? '');

/** The wider of two: a list of values is on several shards. */
const wider = (one: Bound | undefined, other: Bound | undefined): Bound | undefined =>
  one === 'value' || other === 'value' ? 'value' : (one ?? other);

function boundOf(place: Place, seen = new Set<Place>()): Bound | undefined {
  if (seen.has(place)) return undefined;
  seen.add(place);
  let bound = place.bound;
  for (const other of place.equals) bound = wider(bound, boundOf(other, seen));
  return bound;
}

function equate(one: Place, other: Place): void {
  one.equals.add(other);
  other.equals.add(one);
}

/** Reads one statement: which tables it touches, and what their column is compared with. */
class Reading {
  readonly touched: Place[] = [];
  readonly tables = new Set<string>();

  readonly spread: Spread;

  constructor(spread: Spread) {
    this.spread = spread;
  }

  #isKey(name: string): boolean {
    return [...this.spread.values()].some((columns) => columns.includes(name));
  }

  /** The places that a column may be of: all of the nearest scope where it has no table's name before it. */
  #placesOf(column: Node, scope: Scope): Place[] {
    const names = listOf(column.fields).map(textOf);
    const name = names.at(-1) ?? '';
    const owner = names.length > 1 ? names.at(-2) : undefined;
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      if (owner === undefined) {
        const own = [...at.places.values()].filter(
          ({ table }) => table === undefined || this.spread.get(table)?.includes(name),
        );
        if (own.length > 0) return this.#isKey(name) ? own : [];
        continue;
      }
      const place = at.places.get(owner);
      if (!place) continue;
      const columns = place.table === undefined ? undefined : this.spread.get(place.table);
      return (columns ? columns.includes(name) : this.#isKey(name)) ? [place] : [];
    }
    return [];
  }

  #boundBy(value: unknown): Bound | undefined {
    const cast = nodeIn(value, 'TypeCast');
    if (cast) return this.#boundBy(cast.arg);
    if (nodeIn(value, 'ParamRef') || nodeIn(value, 'A_Const')) return 'value';
    return nodeIn(value, 'A_ArrayExpr') || nodeIn(value, 'List') ? 'list' : undefined;
  }

  #compare(left: unknown, right: unknown, scope: Scope, isList: boolean): void {
    const column = nodeIn(left, 'ColumnRef');
    if (!column) return;
    const others = nodeIn(right, 'ColumnRef');
    const bound = this.#boundBy(right);
    for (const place of this.#placesOf(column, scope)) {
      if (others) for (const other of this.#placesOf(others, scope)) equate(place, other);
      else if (bound) place.bound = wider(place.bound, isList ? 'list' : bound);
    }
  }

  #condition(expression: Node, scope: Scope): void {
    const operator = listOf(expression.name).map(textOf).at(-1);
    const { kind, lexpr, rexpr } = expression;
    if (operator !== '=') return;
    const isList = kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN';
    const [lefts, rights] = [lexpr, rexpr].map((side) => listOf(nodeIn(side, 'RowExpr')?.args));
    if (lefts?.length) {
      for (const [index, left] of lefts.entries()) this.#compare(left, rights?.[index], scope, isList);
      return;
    }
    this.#compare(lexpr, rexpr, scope, isList);
    this.#compare(rexpr, lexpr, scope, isList);
  }

  #table(range: Node, scope: Scope): void {
    const name = String(range.relname);
    const alias = String(nodeIn(range, 'alias')?.aliasname ?? name);
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const query = range.schemaname === undefined ? at.queries.get(name) : undefined;
      if (query) return void scope.places.set(alias, query);
    }
    this.tables.add(name);
    const place: Place = { table: name, equals: new Set() };
    scope.places.set(alias, place);
    if (this.spread.has(name)) this.touched.push(place);
  }

  /** What stands after FROM, UPDATE, INTO and USING. */
  #range(item: unknown, scope: Scope): void {
    const range = nodeIn(item, 'RangeVar');
    if (range) this.#table(range, scope);
    const join = nodeIn(item, 'JoinExpr');
    if (join) {
      this.#range(join.larg, scope);
      this.#range(join.rarg, scope);
      if (
        listOf(join.usingClause)
          .map(textOf)
          .some((name) => this.#isKey(name))
      ) {
        const all = [...scope.places.values()];
        for (const place of all) if (all[0] && place !== all[0]) equate(all[0], place);
      }
      this.#walk(join.quals, scope);
    }
    const query = nodeIn(item, 'RangeSubselect');
    const alias = String(nodeIn(query ?? nodeIn(item, 'RangeFunction'), 'alias')?.aliasname ?? '');
    if (query) scope.places.set(alias, this.#query(query.subquery, scope));
    else if (nodeIn(item, 'RangeFunction')) {
      scope.places.set(alias, { equals: new Set(), bound: 'list' }); // unnest() of parameters
      this.#walk(nodeIn(item, 'RangeFunction')?.functions, scope);
    }
  }

  /** A query of its own. @returns the column as others see it. */
  #query(node: unknown, outer?: Scope): Place {
    const given: Place = { equals: new Set() };
    const kinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'];
    const kind = kinds.find((name) => nodeIn(node, name));
    const query = kind && nodeIn(node, kind);
    if (!query) return given;
    const scope: Scope = { places: new Map(), queries: new Map(), outer };
    for (const item of listOf(nodeIn(query, 'withClause')?.ctes)) {
      const cte = nodeIn(item, 'CommonTableExpr');
      if (!cte) continue;
      const name = String(cte.ctename);
      const own: Place = { equals: new Set() };
      scope.queries.set(name, own);
      equate(own, this.#query(cte.ctequery, scope));
    }
    for (const side of [query.larg, query.rarg])
      if (isNode(side)) equate(given, this.#query({ SelectStmt: side }, scope));
    if (isNode(query.relation)) this.#table(query.relation, scope);
    for (const item of [...listOf(query.fromClause), ...listOf(query.usingClause)]) this.#range(item, scope);
    if (kind === 'InsertStmt') this.#inserted(query, scope);
    const { targetList, returningList, withClause: _, larg: __, rarg: ___, ...rest } = query;
    this.#targets([...listOf(targetList), ...listOf(returningList)], given, scope);
    this.#walk({ ...rest, fromClause: undefined, usingClause: undefined, relation: undefined }, scope);
    return given;
  }

  /** A row that is inserted is on the shard of its own value. */
  #inserted(query: Node, scope: Scope): void {
    const [target] = scope.places.values();
    if (!target) return;
    const source = nodeIn(query.selectStmt, 'SelectStmt');
    const names = listOf(query.cols).map((column) => String(nodeIn(column, 'ResTarget')?.name));
    const nth = names.findIndex((name) => this.spread.get(target.table ?? '')?.includes(name));
    const rows = listOf(source?.valuesLists);
    if (rows.length > 0) {
      const values = rows.map((row) => listOf(nodeIn(row, 'List')?.items)[nth]);
      target.bound = rows.length === 1 ? this.#boundBy(values[0]) : 'list';
      return;
    }
    equate(target, this.#query(query.selectStmt, scope));
    const given = nodeIn(listOf(source?.targetList)[nth], 'ResTarget')?.val;
    target.bound = wider(target.bound, this.#boundBy(given));
  }

  #targets(targets: readonly unknown[], given: Place, scope: Scope): void {
    for (const item of targets) {
      const target = nodeIn(item, 'ResTarget');
      const column = nodeIn(target?.val, 'ColumnRef');
      const fields = listOf(column?.fields);
      const isStar = fields.some((field) => isNode(field) && 'A_Star' in field);
      const name = String(target?.name ?? (column ? textOf(fields.at(-1)) : ''));
      if (isStar) for (const place of scope.places.values()) equate(given, place);
      else if (this.#isKey(name)) {
        if (column) for (const place of this.#placesOf(column, scope)) equate(given, place);
        else given.bound = wider(given.bound, this.#boundBy(target?.val));
      } else this.#walk(target?.val, scope);
    }
  }

  #walk(value: unknown, scope: Scope): void {
    for (const item of listOf(value)) this.#walk(item, scope);
    if (!isNode(value) || Array.isArray(value)) return;
    const expression = nodeIn(value, 'A_Expr');
    if (expression) this.#condition(expression, scope);
    const link = nodeIn(value, 'SubLink');
    if (link) {
      const query = this.#query(link.subselect, scope);
      for (const side of listOf(nodeIn(link.testexpr, 'RowExpr')?.args).concat(link.testexpr ?? [])) {
        const column = nodeIn(side, 'ColumnRef');
        if (column) for (const place of this.#placesOf(column, scope)) equate(place, query);
      }
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'SelectStmt') this.#query(value, scope);
      else this.#walk(inner, scope);
    }
  }

  statement(node: unknown): void {
    this.#query(node);
  }
}

export interface ReadStatement {
  readonly shards: Shards;
  readonly tables: ReadonlySet<string>;
}

/** @throws Error where the text is no statement of PostgreSQL. */
export function readStatement(sql: string, spread: Spread): ReadStatement {
  const reading = new Reading(spread);
  for (const { stmt } of (parseSync(sql) as { stmts: Array<{ stmt: unknown }> }).stmts)
    reading.statement(stmt);
  const { touched, tables } = reading;
  if (touched.length === 0) return { shards: 'no shard', tables };
  const bounds = touched.map((place) => boundOf(place));
  const isAll = bounds.includes(undefined);
  return { shards: isAll ? 'all shards' : bounds.includes('list') ? 'some shards' : 'one shard', tables };
}
