import type { Model } from '../model/model.ts';
import { referenceNames } from '../model/references.ts';
import { call, type Selection, whenSet } from '../selection.ts';
import { aclsOfDocuments } from './acls.ts';

/** §10.1 `fetch.document`: the names that are no properties, and what each adds to a document. */
export const document: Readonly<Record<string, Selection>> = {
  lock: { lockOwner: whenSet, lockCreated: whenSet },
  versionLabel: { versionLabel: call({ ofVersionsAlone: false }) },
};

/** All names that `fetch.document` takes. */
export const documentNames = (model: Model): string[] => [
  ...Object.keys(document),
  ...aclsOfDocuments,
  ...referenceNames(model),
];
