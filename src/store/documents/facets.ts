import { Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { defaultProperties } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { unknownName } from '../../near-names.ts';
import type { Scope, Using } from '../../scope.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { setMembers } from '../collections/set-members.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { withModification } from './dublin-core.ts';
import { saveChange } from './save-change.ts';

/** Facets that hide a document from lists and from the audit log. */
const hiding: readonly string[] = ['SystemDocument', 'HiddenInNavigation'];

/** Facets that only the server adds and removes, along with a description of the documents that have them. */
const ofServer: Readonly<Record<string, string>> = {
  Immutable: 'versions and proxies',
  CollectionMember: 'documents that are, or were, in a collection',
};

/**
 * Checks that the caller is allowed to add and remove a facet.
 * @throws Invalid for an unknown facet or one that only the server sets; Forbidden for a facet that hides documents
 */
export function requireFacet(
  { services: { model }, user }: Pick<Scope, 'user'> & Using<'model'>,
  facet: string,
): void {
  if (!model.facets.has(facet)) throw new Invalid(unknownName('facet', facet, model.facets.keys()));
  if (Object.hasOwn(ofServer, facet)) throw new Invalid(`The facet ${facet} is only for ${ofServer[facet]}.`);
  if (hiding.includes(facet)) requireAdministrator(user, `add or remove the facet ${facet}`);
}

/**
 * Saves the facets of a document. Properties in added schemas get their defaults; properties in removed schemas are
 * deleted.
 */
async function saveFacets(
  scope: Scope,
  before: DocumentRow,
  facets: readonly string[],
): Promise<DocumentRow> {
  const { model } = scope.services;
  const [known, schemas] = [before.facets, facets].map((each) => model.schemasOf(before.type, each));
  const xpaths = new Set(
    (schemas ?? []).flatMap(({ properties }) => [...properties.values()].map(({ xpath }) => xpath)),
  );
  const all: StoredProperties = {
    ...defaultProperties((schemas ?? []).filter((schema) => !known?.includes(schema))),
    ...before.properties,
  };
  const properties = Object.fromEntries(Object.entries(all).filter(([xpath]) => xpaths.has(xpath)));
  return saveChange(scope, {
    before,
    after: withModification(scope, { ...before, facets: [...facets], properties }),
  });
}

async function lockFaceted(scope: Scope, reference: DocumentReference, facet: string): Promise<DocumentRow> {
  requireFacet(scope, facet);
  return lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteProperties' });
}

/**
 * Adds a facet and its schemas. Does nothing if the document already has the facet.
 * @throws NotFound, Forbidden, Invalid
 */
export async function addFacet(
  scope: Scope,
  reference: DocumentReference,
  facet: string,
): Promise<DocumentRow> {
  const document = await lockFaceted(scope, reference, facet);
  if (facetsOf(scope.services.model, document).includes(facet)) return document;
  return saveFacets(scope, document, [...document.facets, facet]);
}

/**
 * Removes a facet that the document itself has, along with the properties in its schemas; if the document is no longer
 * a collection, its members are removed as well. Facets that come from the type cannot be removed.
 * @throws NotFound, Forbidden, Invalid
 */
export async function removeFacet(
  scope: Scope,
  reference: DocumentReference,
  facet: string,
): Promise<DocumentRow> {
  const document = await lockFaceted(scope, reference, facet);
  if (!document.facets.includes(facet)) return document;
  const left = document.facets.filter((name) => name !== facet);
  const saved = await saveFacets(scope, document, left);
  if (facet === 'Collection') await setMembers(scope, saved, { version: null, areLocked: false });
  return saved;
}
