import { z } from 'zod';
import { Invalid } from '../../../errors.ts';
import { documentCsvColumns, documentCsvEntry, toCsv } from '../../../model/csv.ts';
import type { Model } from '../../../model/model.ts';
import { shownBlobFields } from '../../../model/values/blob-json.ts';
import { resolveXpath } from '../../../model/values/value-location.ts';
import type { Scope } from '../../../scope.ts';
import { exportAction } from '../bulk-action.ts';
import { exportedDocument, requireSchemas } from '../exported-document.ts';
import { names, onlyThese, trueOrFalse } from '../parameters.ts';

const parameters = onlyThese({
  schemas: names.optional(),
  xpaths: names.default([]),
  sort: trueOrFalse.default(false),
  zip: trueOrFalse.default(false),
  lang: z.string('must be a string').optional(), // accepted but ignored, because the columns have no labels
});

type Parameters = z.output<typeof parameters>;

const xpathsOf = ({ services: { model } }: Scope, schemas: readonly string[]): string[] =>
  schemas.flatMap((name) =>
    [...(model.schemas.get(name)?.properties.values() ?? [])].map(({ xpath }) => xpath),
  );

/**
 * Whether an xpath points to a property or to a part of one, as in `dc:title`, `files:files/0/file` or
 * `file:content/name`.
 */
function isKnown(model: Model, xpath: string): boolean {
  const find = (name: string) => model.property(name);
  if (resolveXpath(find, xpath)) return true;
  const slash = xpath.lastIndexOf('/');
  const blob = slash < 0 ? undefined : resolveXpath(find, xpath.slice(0, slash))?.property;
  return blob?.type === 'blob' && !blob.many && shownBlobFields.includes(xpath.slice(slash + 1));
}

/** Returns the value at an xpath within rendered properties; null if there is none. */
function shownAt(properties: Readonly<Record<string, unknown>>, xpath: string): unknown {
  const [first = '', ...steps] = xpath.replace(/\[(\d+)\]/g, '/$1').split('/');
  let value = properties[first];
  for (const step of steps)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : null;
  return value ?? null;
}

/**
 * The schemas whose properties are exported. The columns are written before the first document is read, so they cannot
 * depend on the documents.
 */
const schemasOf = ({ schemas, xpaths }: Parameters): readonly string[] =>
  schemas ?? (xpaths.length > 0 ? [] : ['dublincore']);

const columnsOf = (scope: Scope, parameters: Parameters): string[] => [
  ...new Set([...documentCsvColumns, ...xpathsOf(scope, schemasOf(parameters)), ...parameters.xpaths]),
];

function check(scope: Scope, { schemas = [], xpaths }: Parameters): void {
  if (schemas.includes('*')) throw new Invalid('schemas: "*" is not allowed here; name each schema');
  requireSchemas(scope, schemas);
  const unknown = xpaths.find((xpath) => !isKnown(scope.services.model, xpath));
  if (unknown !== undefined) throw new Invalid(`xpaths: there is no property ${unknown.slice(0, 80)}`);
}

/** Exports a CSV file: a line of column names, followed by a line for each document. */
export const csvExportAction = exportAction({
  name: 'csvExport',
  mimeType: 'text/csv',
  ending: 'csv',
  isById: ({ sort }) => sort, // every line begins with the repository and the id, so ordering by id sorts the lines
  isZipped: ({ zip }) => zip,
  parameters,
  check,
  header: (scope, parameters) => toCsv(columnsOf(scope, parameters), []),
  lines: async (context, documents, parameters) => {
    const shown = await Promise.all(documents.map((row) => exportedDocument(row, ['*'], context)));
    const columns = columnsOf(context, parameters);
    return shown.map((document) => {
      const { properties } = document as { properties: Record<string, unknown> };
      const parts = Object.fromEntries(parameters.xpaths.map((xpath) => [xpath, shownAt(properties, xpath)]));
      return toCsv(columns, [{ ...parts, ...documentCsvEntry(document) }], false);
    });
  },
});
