import type { AuthorityRow } from '../loaders/authorities/authorities.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import * as document from './documents.ts';
import type { Enricher } from './enricher.ts';
import * as user from './users.ts';

/** Sorts enrichers by name. Does not compile if a listed file exports anything other than enrichers. */
const sorted = <Row>(listed: Readonly<Record<string, Enricher<Row>>>): ReadonlyArray<Enricher<Row>> =>
  Object.values(listed).sort((one, other) => (one.name < other.name ? -1 : 1));

/** §4.9, §9: all enrichers, by the entity type in lower case, sorted by name. */
export const enrichers = {
  document: sorted<DocumentRow>(document),
  user: sorted<AuthorityRow>(user),
};
