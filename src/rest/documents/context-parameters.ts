import type { Enricher, EnricherSelections } from '../../enrichers/enricher.ts';
import type { Selection, SelectionNode } from '../../selection/selection.ts';

/** §4.9: the data of the enrichers that a header names. */
export function contextParameters<Row>(
  enrichers: ReadonlyArray<Enricher<Row>>,
  names: readonly string[] | undefined,
  inside: EnricherSelections,
): Selection {
  const wanted = enrichers.filter(({ name }) => names?.includes(name));
  if (wanted.length === 0) return {};
  const selections = wanted.map(({ name, select }): [string, SelectionNode] => [name, select(inside)]);
  return { contextParameters: Object.fromEntries(selections) };
}
