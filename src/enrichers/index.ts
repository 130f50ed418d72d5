import { requireNewNames } from '../extensions/loaded.ts';
import type { AuthorityRow } from '../loaders/authorities/authorities.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { contributedEnrichers } from './contributed.ts';
import * as document from './documents.ts';
import type { Enricher } from './enricher.ts';
import * as user from './users.ts';

/**
 * Sorts enrichers by name. The type check fails if a listed file exports anything other than enrichers.
 * @throws ConfigError if an extension contributes an enricher whose name is already used
 */
const sorted = <Row>(
  listed: Readonly<Record<string, Enricher<Row>>>,
  contributed: ReadonlyArray<Enricher<Row>> = [],
): ReadonlyArray<Enricher<Row>> => {
  const namesOf = (some: ReadonlyArray<Enricher<Row>>) => some.map(({ name }) => name);
  requireNewNames('enrichers', namesOf(Object.values(listed)), namesOf(contributed));
  return [...Object.values(listed), ...contributed].sort((one, other) => (one.name < other.name ? -1 : 1));
};

/**
 * §4.9, §9: all enrichers, including those of extensions. They are grouped by entity type in lower case and sorted by
 * name.
 */
export const enrichers = {
  document: sorted<DocumentRow>(document, contributedEnrichers()),
  user: sorted<AuthorityRow>(user),
};
