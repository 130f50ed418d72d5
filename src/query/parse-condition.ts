import type { Comparison, Condition, Literal } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { Literals } from './literals.ts';
import { faultAt } from './tokens.ts';

/** Groups inside groups. */
const deepest = 50;

/** More conditions than this nobody writes, and the database plans long over thousands. */
const most = 500;

const comparisons: ReadonlyArray<readonly [string, Comparison]> = [
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
];

/** What is compared. */
interface Subject {
  readonly property: string;
  readonly byDay: boolean;
}

/** Reads the condition after WHERE. */
export class ConditionParser {
  readonly #cursor: Cursor;
  readonly #literals: Literals;
  #depth = 0;
  #count = 0;

  constructor(cursor: Cursor, literals: Literals) {
    this.#cursor = cursor;
    this.#literals = literals;
  }

  /** @throws Invalid naming the place, and what was expected there. */
  read(): Condition {
    return this.#joined('or', 'OR', () => this.#joined('and', 'AND', () => this.#single()));
  }

  #joined(kind: 'and' | 'or', word: string, read: () => Condition): Condition {
    const first = read();
    const of = [first];
    while (this.#cursor.takes(word)) of.push(read());
    return of.length === 1 ? first : { kind, of };
  }

  /** Goes one level down. */
  #inside(read: () => Condition): Condition {
    this.#depth += 1;
    if (this.#depth > deepest)
      throw faultAt(this.#cursor.token.at, `more than ${deepest} groups inside each other`);
    const condition = read();
    this.#depth -= 1;
    return condition;
  }

  #single(): Condition {
    const cursor = this.#cursor;
    if (cursor.takes('NOT')) return this.#inside(() => ({ kind: 'not', of: this.#single() }));
    if (!cursor.takes('(')) return this.#predicate();
    const condition = this.#inside(() => this.read());
    cursor.needs(')');
    return condition;
  }

  #predicate(): Condition {
    this.#count += 1;
    if (this.#count > most) throw faultAt(this.#cursor.token.at, `more than ${most} conditions`);
    const subject = this.#subject();
    const comparison = comparisons.find(([sign]) => this.#cursor.takes(sign));
    if (comparison) return this.#compared(subject, comparison[1], this.#literals.one(this.#cursor));
    if (this.#cursor.takes('IS')) return this.#isNull(subject);
    const isNot = this.#cursor.takes('NOT');
    const condition = this.#worded(subject);
    return isNot ? { kind: 'not', of: condition } : condition;
  }

  #subject(): Subject {
    const cursor = this.#cursor;
    const byDay = cursor.isBefore('(') && cursor.takes('DATE');
    if (byDay) cursor.needs('(');
    const { value: property } = cursor.read('name', 'a property');
    if (byDay) cursor.needs(')');
    return { property, byDay };
  }

  #compared({ property, byDay }: Subject, op: Comparison, value: Literal): Condition {
    return { kind: 'compare', property, op, value, ...(byDay && { byDay }) };
  }

  /** Of a whole value, whatever its day is. */
  #whole({ property, byDay }: Subject): string {
    if (byDay) throw this.#cursor.expected('a comparison of days');
    return property;
  }

  #isNull(subject: Subject): Condition {
    const isNot = this.#cursor.takes('NOT');
    this.#cursor.needs('NULL');
    const condition: Condition = { kind: 'isNull', property: this.#whole(subject) };
    return isNot ? { kind: 'not', of: condition } : condition;
  }

  #worded(subject: Subject): Condition {
    const cursor = this.#cursor;
    if (cursor.takes('BETWEEN')) return this.#between(subject);
    if (cursor.takes('IN')) return { kind: 'in', property: this.#whole(subject), values: this.#list() };
    const ignoresCase = cursor.takes('ILIKE');
    if (ignoresCase || cursor.takes('LIKE')) {
      return {
        kind: 'like',
        property: this.#whole(subject),
        pattern: this.#literals.text(cursor),
        ignoresCase,
      };
    }
    if (cursor.takes('STARTSWITH')) {
      return { kind: 'startsWith', property: this.#whole(subject), prefix: this.#literals.text(cursor) };
    }
    throw cursor.expected('an operator');
  }

  #between(subject: Subject): Condition {
    const from = this.#literals.one(this.#cursor);
    this.#cursor.needs('AND');
    const to = this.#literals.one(this.#cursor);
    if (!subject.byDay) return { kind: 'between', property: subject.property, from, to };
    return { kind: 'and', of: [this.#compared(subject, '>=', from), this.#compared(subject, '<=', to)] };
  }

  #list(): readonly Literal[] {
    const cursor = this.#cursor;
    if (cursor.token.kind === 'parameter') return this.#literals.some(cursor);
    cursor.needs('(');
    const values = [...this.#literals.some(cursor)];
    while (cursor.takes(',')) values.push(...this.#literals.some(cursor));
    cursor.needs(')');
    return values;
  }
}
