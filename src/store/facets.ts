import { Forbidden, Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { defaults } from '../model/defaults.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { touched } from './dublin-core.ts';
import { type DocumentReference, lockDocument, requireLive } from './lock-document.ts';
import { saveChange } from './save-change.ts';
import { setMembers } from './set-members.ts';

/** Those that take a document out of lists and of the audit. */
const hiding: readonly string[] = ['SystemDocument', 'HiddenInNavigation'];

/** Those that the server alone gives and takes, and what documents have them. */
const served: Readonly<Record<string, string>> = {
  Immutable: 'versions and proxies',
  CollectionMember: 'documents that are, or were, in a collection',
};

/** @throws Invalid when nobody contributed the facet, or the server alone gives it; Forbidden when it hides. */
function requireFacet({ model, user }: Scope, facet: string): void {
  if (!model.facets.has(facet)) throw new Invalid(`Facet: ${facet} does not exist`);
  if (Object.hasOwn(served, facet)) throw new Invalid(`${facet} is for ${served[facet]} alone`);
  if (hiding.includes(facet) && !user.isAdministrator) {
    throw new Forbidden(`${facet} is for administrators: it takes documents out of lists and of the audit`);
  }
}

/** Saves a document with other facets: it begins with the defaults of new schemas, and ends with those of the others. */
async function saveFacets(
  scope: Scope,
  before: DocumentRow,
  facets: readonly string[],
): Promise<DocumentRow> {
  const { model } = scope;
  const [known, schemas] = [before.facets, facets].map((each) => model.schemasOf(before.type, each));
  const xpaths = new Set(
    (schemas ?? []).flatMap(({ properties }) => [...properties.values()].map(({ xpath }) => xpath)),
  );
  const all: StoredProperties = {
    ...defaults((schemas ?? []).filter((schema) => !known?.includes(schema))),
    ...before.properties,
  };
  const properties = Object.fromEntries(Object.entries(all).filter(([xpath]) => xpaths.has(xpath)));
  return saveChange(scope, { before, after: touched(scope, { ...before, facets: [...facets], properties }) });
}

async function lockFaceted(scope: Scope, reference: DocumentReference, facet: string): Promise<DocumentRow> {
  requireFacet(scope, facet);
  const document = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });
  requireLive(document);
  return document;
}

/**
 * Gives a document a facet, and the schemas that come with it; one that it has already changes nothing.
 * @throws NotFound, Forbidden, Invalid
 */
export async function addFacet(
  scope: Scope,
  reference: DocumentReference,
  facet: string,
): Promise<DocumentRow> {
  const document = await lockFaceted(scope, reference, facet);
  if (facetsOf(scope.model, document).includes(facet)) return document;
  return saveFacets(scope, document, [...document.facets, facet]);
}

/**
 * Takes from a document a facet of its own, with the properties that no other schema of it has, and the members of what
 * is no collection any more; facets of its type stay.
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
  if (facet === 'Collection') await setMembers(scope, saved, { version: null, areHeld: false });
  return saved;
}
