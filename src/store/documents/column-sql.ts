import { type DocumentRow, documentColumnDefinitions } from '../../loaders/documents/document-row.ts';

/** A field of a document's row. */
export type DocumentField = keyof DocumentRow;

export const documentFields = Object.keys(documentColumnDefinitions) as DocumentField[];

/** The SQL name of the column that stores a field. */
export const columnOf = (field: DocumentField): string => documentColumnDefinitions[field].column;

/** The names of all columns of `document`, separated by commas. */
export const allColumns = documentFields.map(columnOf).join(', ');

/**
 * The part of an INSERT INTO document between the table name and FROM, for a statement that copies documents.
 * @param alias the alias of the documents to copy
 * @param own SQL expressions for the columns that are not copied
 */
export const copyColumns = (
  alias: string,
  own: Partial<Record<DocumentField, string>>,
): string => `(${allColumns})
  SELECT ${documentFields.map((field) => own[field] ?? `${alias}.${columnOf(field)}`).join(', ')}`;
