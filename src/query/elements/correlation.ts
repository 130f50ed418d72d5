import type { Condition } from '../ast.ts';
import { QueryFault } from '../query-fault.ts';

/** Matches a property and splits it after its first numbered element. */
const numbered = /^([^/]+(?:\/(?!\*\d)[^/]+)*\/\*\d{1,3})(?:\/(.+))?$/;

/**
 * Splits `files:files/*1/file/name` into `files:files/*1` and `file/name`; undefined if there is no numbered element.
 */
export function elementOf(property: string): { readonly element: string; readonly rest: string } | undefined {
  const [, element, rest = ''] = numbered.exec(property) ?? [];
  return element === undefined ? undefined : { element, rest };
}

/**
 * The maximum number of numbered elements that depend on each other. All combinations are tested, which would take too
 * long with more elements.
 */
const maxDependentElements = 2;

type Names = ReadonlySet<string>;

/** Returns the numbered elements in a condition that have not been bound yet. */
function elementsIn(condition: Condition, bound: Names): Names {
  if ('of' in condition)
    return new Set([condition.of].flat().flatMap((part) => [...elementsIn(part, bound)]));
  const found = elementOf(condition.property)?.element;
  return new Set(found === undefined || bound.has(found) ? [] : [found]);
}

/**
 * Wraps a condition in `some`, which binds elements.
 * @throws QueryFault if there are too many elements
 */
function bind(elements: Iterable<string>, bound: Names, condition: (all: Names) => Condition): Condition {
  const added = [...elements];
  const all = new Set([...bound, ...added]);
  if (all.size > maxDependentElements)
    throw new QueryFault(`at most ${maxDependentElements} numbered elements can depend on each other`);
  const of = condition(all);
  return added.length > 0 ? { kind: 'some', elements: added, of } : of;
}

interface Group {
  readonly parts: readonly Condition[];
  readonly elements: Names;
}

/**
 * Groups the parts of a condition, so that parts that share elements, directly or through other parts, are in the
 * same group.
 */
function groupsOf(parts: readonly Condition[], bound: Names): Group[] {
  let groups: Group[] = [];
  for (const part of parts) {
    const elements = elementsIn(part, bound);
    const shared = groups.filter((group) => [...elements].some((one) => group.elements.has(one)));
    const merged = {
      parts: [...shared.flatMap((group) => group.parts), part],
      elements: new Set([...shared.flatMap((group) => [...group.elements]), ...elements]),
    };
    groups = [...groups.filter((group) => !shared.includes(group)), merged];
  }
  return groups;
}

/**
 * Binds numbered elements (`dc:subjects/*1`), so that each refers to the same element in the whole query. The
 * smallest part of the condition that contains all uses of an element, including the NOTs around them, is wrapped
 * in `some`. For example, `files/*1/name = 'a' AND files/*1/length > 9` is true if a single file satisfies both
 * comparisons.
 * @throws QueryFault if too many elements depend on each other
 */
export function correlated(condition: Condition, bound: Names = new Set()): Condition {
  const elements = elementsIn(condition, bound);
  if (elements.size === 0) return condition;
  if (!('of' in condition) || condition.kind === 'not' || condition.kind === 'some')
    return bind(elements, bound, () => condition);
  const { kind } = condition;
  const parts = groupsOf(condition.of, bound).map((group) => {
    const [only, ...others] = group.parts;
    if (only && others.length === 0) return correlated(only, bound);
    const shared = [...group.elements].filter(
      (one) => group.parts.filter((part) => elementsIn(part, bound).has(one)).length > 1,
    );
    return bind(shared, bound, (all) => ({ kind, of: group.parts.map((part) => correlated(part, all)) }));
  });
  return parts.length === 1 && parts[0] ? parts[0] : { kind, of: parts };
}
