import type { DocumentPageQuery } from '../graphql/operations.ts';

/** The document as returned by the query of the document page. */
export type Shown = DocumentPageQuery['document'];

export interface PartProps {
  readonly document: Shown;
}

export const valueAt = ({ properties }: Pick<Shown, 'properties'>, xpath: string): unknown =>
  (properties as Record<string, unknown>)[xpath];

export const may = ({ contextParameters }: Shown, permission: string): boolean =>
  contextParameters.permissions.includes(permission);

/** Whether the user can change a document's properties. A document in the trash must be restored first. */
export const mayEdit = (document: Shown): boolean =>
  may(document, 'WriteProperties') && !document.isVersion && !document.isProxy && !document.isTrashed;
