import type { Comparison, Condition, Literal } from './ast.ts';
import { QueryBudget } from './budget.ts';
import type { TokenCursor } from './cursor.ts';
import { type Bindings, createLiteralReader, type LiteralReader } from './literals.ts';
import { syntaxFault, withPosition } from './tokens.ts';

const maxDepth = 50;

const comparisons: ReadonlyArray<readonly [string, Comparison]> = [
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
];

interface Subject {
  readonly property: string;
  readonly byDay: boolean;
}

/** A recursive-descent parser for the conditions of NXQL. */
export class ConditionParser {
  readonly #cursor: TokenCursor;
  readonly #literals: LiteralReader;
  readonly #budget: QueryBudget;
  #depth = 0;

  constructor(cursor: TokenCursor, bindings: Bindings) {
    this.#cursor = cursor;
    this.#budget = new QueryBudget();
    this.#literals = createLiteralReader(bindings, this.#budget);
  }

  /**
   * Reads a condition.
   * @throws QueryFault, with the position of the error and what was expected there
   */
  read(): Condition {
    return this.#joined('or', 'OR', () => this.#joined('and', 'AND', () => this.#single()));
  }

  #joined(kind: 'and' | 'or', word: string, read: () => Condition): Condition {
    const first = read();
    const of = [first];
    while (this.#cursor.accept(word)) of.push(read());
    return of.length === 1 ? first : { kind, of };
  }

  #nested(read: () => Condition): Condition {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw syntaxFault(this.#cursor.token.at, `conditions can be nested at most ${maxDepth} levels deep`);
    const condition = read();
    this.#depth -= 1;
    return condition;
  }

  #single(): Condition {
    const cursor = this.#cursor;
    if (cursor.accept('NOT')) return this.#nested(() => ({ kind: 'not', of: this.#single() }));
    const { at } = cursor.token;
    if (!cursor.accept('(')) return withPosition(this.#predicate(), [at]);
    const condition = this.#nested(() => this.read());
    cursor.expect(')');
    return condition;
  }

  #predicate(): Condition {
    this.#budget.spend('conditions');
    const subject = this.#subject();
    const comparison = comparisons.find(([sign]) => this.#cursor.accept(sign));
    if (comparison) return this.#comparison(subject, comparison[1], this.#literals.one(this.#cursor));
    if (this.#cursor.accept('IS')) return this.#isNull(subject);
    const isNot = this.#cursor.accept('NOT');
    const condition = this.#operator(subject);
    return isNot ? { kind: 'not', of: condition } : condition;
  }

  #subject(): Subject {
    const cursor = this.#cursor;
    const byDay = cursor.isFollowedBy('(') && cursor.accept('DATE');
    if (byDay) cursor.expect('(');
    const { value: property } = cursor.read('name', 'a property');
    if (byDay) cursor.expect(')');
    return { property, byDay };
  }

  #comparison({ property, byDay }: Subject, op: Comparison, value: Literal): Condition {
    return { kind: 'compare', property, op, value, ...(byDay && { byDay }) };
  }

  /**
   * Returns the tested property.
   * @throws QueryFault for `DATE(property)`, which can only be used in comparisons
   */
  #propertyOf({ property, byDay }: Subject): string {
    if (byDay) throw this.#cursor.unexpectedToken('a comparison of days');
    return property;
  }

  #isNull(subject: Subject): Condition {
    const isNot = this.#cursor.accept('NOT');
    this.#cursor.expect('NULL');
    const condition: Condition = { kind: 'isNull', property: this.#propertyOf(subject) };
    return isNot ? { kind: 'not', of: condition } : condition;
  }

  #operator(subject: Subject): Condition {
    const cursor = this.#cursor;
    if (cursor.accept('BETWEEN')) return this.#between(subject);
    if (cursor.accept('IN')) return { kind: 'in', property: this.#propertyOf(subject), values: this.#list() };
    const ignoresCase = cursor.accept('ILIKE');
    if (ignoresCase || cursor.accept('LIKE')) {
      return {
        kind: 'like',
        property: this.#propertyOf(subject),
        pattern: this.#literals.text(cursor),
        ignoresCase,
      };
    }
    if (cursor.accept('STARTSWITH')) {
      return { kind: 'startsWith', property: this.#propertyOf(subject), prefix: this.#literals.text(cursor) };
    }
    throw cursor.unexpectedToken('an operator');
  }

  #between({ property, byDay }: Subject): Condition {
    const from = this.#literals.one(this.#cursor);
    this.#cursor.expect('AND');
    const to = this.#literals.one(this.#cursor);
    return { kind: 'between', property, from, to, ...(byDay && { byDay }) };
  }

  #list(): readonly Literal[] {
    const cursor = this.#cursor;
    if (cursor.token.kind === 'parameter') return this.#literals.list(cursor);
    cursor.expect('(');
    const values = [...this.#literals.list(cursor)];
    while (cursor.accept(',')) values.push(...this.#literals.list(cursor));
    cursor.expect(')');
    return values;
  }
}
