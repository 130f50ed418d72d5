import type { Enricher, Inside } from '../../enrichers/enricher.ts';
import type { Node, Selection } from '../../selection.ts';

/** §4.9: what the enrichers named by a header add to an entity; nothing where there are none. */
export function contextParameters<Row>(
  enrichers: ReadonlyArray<Enricher<Row>>,
  names: readonly string[] | undefined,
  inside: Inside,
): Selection {
  const wanted = enrichers.filter(({ name }) => names?.includes(name));
  if (wanted.length === 0) return {};
  const selections = wanted.map(({ name, select }): [string, Node] => [name, select(inside)]);
  return { contextParameters: Object.fromEntries(selections) };
}
