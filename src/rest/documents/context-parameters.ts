import type { Enricher, EnricherSelections } from '../../enrichers/enricher.ts';
import { Field, type Selection, type SelectionNode } from '../../selection/selection.ts';

/**
 * Selects the data of the enrichers that a header names (§4.9).
 * @param anyField a field that every entity has; it is selected if the header names no enricher, because a GraphQL
 * selection cannot be empty
 */
export function contextParameters<Row>(
  enrichers: ReadonlyArray<Enricher<Row>>,
  names: readonly string[] | undefined,
  { inside, anyField }: { readonly inside: EnricherSelections; readonly anyField: string },
): Selection {
  if (names === undefined) return {};
  const wanted = enrichers.filter(({ name }) => names.includes(name));
  if (wanted.length === 0) return { contextParameters: new Field({ name: anyField, format: () => ({}) }) };
  const selections = wanted.map(({ name, select }): [string, SelectionNode] => [name, select(inside)]);
  return { contextParameters: Object.fromEntries(selections) };
}
