import type { Context } from '../context.ts';
import { changeToken, type DocumentRow } from '../loaders/document-row.ts';

/** Where clients find a document. */
export const documentUrl = ({ options }: Context, { repository, id }: DocumentRow): string =>
  `${options.baseUrl}/repo/${repository}/id/${id}`;

/** Where clients find the bytes of a document's blob; the token is for caches only. */
export const blobUrl = (context: Context, document: DocumentRow, xpath: string): string =>
  `${documentUrl(context, document)}/@blob/${xpath}?changeToken=${changeToken(document)}`;
