import type { PredicateDefinition } from '../model/page-provider-definitions.ts';
import type { Condition } from './ast.ts';
import { anyOf } from './conditions.ts';
import type { Bindings } from './literals.ts';
import type { Kind } from './operand.ts';
import { endOf, literalOf } from './provider-literals.ts';
import { givenAs, readList, readOne } from './provider-parameters.ts';

/** What a property is compared with. */
export type KindOf = (property: string) => Kind;

/** What a text begins with; clients may have put the sign for the rest behind it. */
function prefixOf(property: string, text: string): Condition {
  const prefix = text.replace(/[%*]+$/, '');
  if (/^ecm:fulltext/.test(property))
    return { kind: 'compare', property, op: '=', value: prefix === '' ? '' : `${prefix}*` };
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  return { kind: 'like', property, pattern, ignoresCase: true };
}

type One = Exclude<PredicateDefinition['operator'], 'BETWEEN' | 'IN' | 'STARTSWITH'>;

/** The condition on one value. */
function withOne(operator: One, { property, name, kind }: Compared, text: string): Condition {
  switch (operator) {
    case 'LIKE':
    case 'ILIKE':
      return { kind: 'like', property, pattern: text, ignoresCase: operator === 'ILIKE' };
    case 'PREFIX':
      return prefixOf(property, text);
    default:
      return { kind: 'compare', property, op: operator, value: literalOf(kind, name, text) };
  }
}

interface Compared {
  readonly property: string;
  /** Of the parameter, for messages. */
  readonly name: string;
  readonly kind: Kind;
}

/** The condition on the ends of a range, each of which may be missing. */
function between(
  { property, kind }: Pick<Compared, 'property' | 'kind'>,
  [min, max]: readonly [string, string],
  { named, variables }: Bindings,
): Condition | undefined {
  const read = (name: string, literal: typeof literalOf) => {
    const given = givenAs(named, name);
    return given === undefined ? undefined : literal(kind, name, readOne(name, given, variables));
  };
  const [from, to] = [read(min, literalOf), read(max, endOf)];
  if (from !== undefined && to !== undefined) return { kind: 'between', property, from, to };
  if (from !== undefined) return { kind: 'compare', property, op: '>=', value: from };
  return to === undefined ? undefined : { kind: 'compare', property, op: '<=', value: to };
}

/**
 * What a predicate of a page provider asks of documents; nothing when its parameter is not given.
 * @throws Invalid naming the parameter.
 */
export function conditionOf(
  { parameter, property, operator }: PredicateDefinition,
  given: Bindings,
  kindOf: KindOf,
): Condition | undefined {
  const kind = kindOf(property);
  if (typeof parameter === 'object') return between({ property, kind }, parameter, given);
  const isPlace = typeof parameter === 'number';
  const name = isPlace ? 'queryParams' : parameter;
  const value = isPlace ? given.positional[parameter - 1] : givenAs(given.named, parameter);
  if (value === undefined || value === '') return undefined;
  if (operator !== 'IN' && operator !== 'STARTSWITH')
    return withOne(operator as One, { property, name, kind }, readOne(name, value, given.variables));
  const texts = readList(name, value, given.variables);
  if (texts.length === 0) return undefined;
  return operator === 'IN'
    ? { kind: 'in', property, values: texts.map((text) => literalOf(kind, name, text)) }
    : anyOf(texts.map((prefix): Condition => ({ kind: 'startsWith', property, prefix })));
}
