import type { PredicateDefinition } from '../../model/search/page-provider-definitions.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import type { Condition } from '../ast.ts';
import { anyCondition } from '../conditions.ts';
import { prefixPattern } from '../like.ts';
import type { Bindings } from '../literals.ts';
import type { ValueKind } from '../value-kind.ts';
import { literalOf, rangeEndLiteral } from './provider-literals.ts';
import { parameterValue, readParameterText, readParameterTexts } from './provider-parameters.ts';

/** Determines the kind of a property's values. */
export type KindLookUp = (property: string) => ValueKind;

/** Returns the condition of a prefix search. Wildcards at the end of the client's text are ignored. */
function prefixCondition(property: string, text: string): Condition {
  const prefix = withoutTrailing(text, '%*');
  if (/^ecm:fulltext/.test(property))
    return { kind: 'compare', property, op: '=', value: prefix === '' ? '' : `${prefix}*` };
  return { kind: 'like', property, pattern: prefixPattern(prefix), ignoresCase: true };
}

type SingleValueOperator = Exclude<PredicateDefinition['operator'], 'BETWEEN' | 'IN' | 'STARTSWITH'>;

function singleValueCondition(
  operator: SingleValueOperator,
  { property, name, kind }: Comparand,
  text: string,
): Condition {
  switch (operator) {
    case 'LIKE':
    case 'ILIKE':
      return { kind: 'like', property, pattern: text, ignoresCase: operator === 'ILIKE' };
    case 'PREFIX':
      return prefixCondition(property, text);
    default:
      return { kind: 'compare', property, op: operator, value: literalOf(kind, name, text) };
  }
}

interface Comparand {
  readonly property: string;
  readonly name: string;
  readonly kind: ValueKind;
}

function rangeCondition(
  { property, kind }: Pick<Comparand, 'property' | 'kind'>,
  [min, max]: readonly [string, string],
  { named, variables }: Bindings,
): Condition | undefined {
  const read = (name: string, literal: typeof literalOf) => {
    const value = parameterValue(named, name);
    return value === undefined ? undefined : literal(kind, name, readParameterText(name, value, variables));
  };
  const [from, to] = [read(min, literalOf), read(max, rangeEndLiteral)];
  if (from !== undefined && to !== undefined) return { kind: 'between', property, from, to };
  if (from !== undefined) return { kind: 'compare', property, op: '>=', value: from };
  return to === undefined ? undefined : { kind: 'compare', property, op: '<=', value: to };
}

/**
 * Returns the condition of a predicate; undefined if the request does not contain its parameter.
 * @throws Invalid, which names the parameter
 */
export function predicateCondition(
  { parameter, property, operator }: PredicateDefinition,
  bindings: Bindings,
  kindOf: KindLookUp,
): Condition | undefined {
  const kind = kindOf(property);
  if (typeof parameter === 'object') return rangeCondition({ property, kind }, parameter, bindings);
  const isPositional = typeof parameter === 'number';
  const name = isPositional ? 'queryParams' : parameter;
  const value = isPositional ? bindings.positional[parameter - 1] : parameterValue(bindings.named, parameter);
  if (value === undefined || value === '') return undefined;
  if (operator !== 'IN' && operator !== 'STARTSWITH') {
    const text = readParameterText(name, value, bindings.variables);
    return singleValueCondition(operator as SingleValueOperator, { property, name, kind }, text);
  }
  const texts = readParameterTexts(name, value, bindings.variables);
  if (texts.length === 0) return undefined;
  return operator === 'IN'
    ? { kind: 'in', property, values: texts.map((text) => literalOf(kind, name, text)) }
    : anyCondition(texts.map((prefix): Condition => ({ kind: 'startsWith', property, prefix })));
}
