import type { Condition } from '../ast.ts';
import { QueryFault } from '../query-fault.ts';

const numbered = /^([^/]+(?:\/(?!\*\d)[^/]+)*\/\*\d{1,3})(?:\/(.+))?$/;

/** `files:files/*1/file/name` is `file/name` of `files:files/*1`; undefined where no element has a number. */
export function elementOf(property: string): { readonly element: string; readonly rest: string } | undefined {
  const [, element, rest = ''] = numbered.exec(property) ?? [];
  return element === undefined ? undefined : { element, rest };
}

/** More would be checked in all their combinations, which takes minutes for long lists. */
const mostAtOnce = 2;

type Names = ReadonlySet<string>;

/** The elements in a condition that are not bound yet. */
function elementsIn(condition: Condition, bound: Names): Names {
  if ('of' in condition)
    return new Set([condition.of].flat().flatMap((part) => [...elementsIn(part, bound)]));
  const found = elementOf(condition.property)?.element;
  return new Set(found === undefined || bound.has(found) ? [] : [found]);
}

function bind(elements: Iterable<string>, bound: Names, condition: (all: Names) => Condition): Condition {
  const added = [...elements];
  const all = new Set([...bound, ...added]);
  if (all.size > mostAtOnce)
    throw new QueryFault(`more than ${mostAtOnce} numbered elements depend on each other`);
  const of = condition(all);
  return added.length > 0 ? { kind: 'some', elements: added, of } : of;
}

interface Group {
  readonly parts: readonly Condition[];
  readonly elements: Names;
}

/** Parts that share elements, directly or by way of others, in one group. */
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
 * Has each numbered element (`dc:subjects/*1`) mean one and the same element wherever it stands: the smallest
 * part with all its uses, and with what negates them, becomes a condition on some element.
 * @throws Invalid when too many depend on each other.
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
