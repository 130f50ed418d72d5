import { type DocumentRow, documentColumnDefinitions } from '../../loaders/documents/document-row.ts';

export type DocumentField = keyof DocumentRow;

export const documentFields = Object.keys(documentColumnDefinitions) as DocumentField[];

export const columnOf = (field: DocumentField): string => documentColumnDefinitions[field].column;

export const allColumns = documentFields.map(columnOf).join(', ');

/**
 * The part of an INSERT INTO document between the table and FROM, for copies of the documents of an alias.
 * @param own expressions for the columns that are not copied.
 */
export const copyColumns = (
  alias: string,
  own: Partial<Record<DocumentField, string>>,
): string => `(${allColumns})
  SELECT ${documentFields.map((field) => own[field] ?? `${alias}.${columnOf(field)}`).join(', ')}`;
