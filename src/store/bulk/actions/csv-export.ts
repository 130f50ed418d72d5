import { z } from 'zod';
import { Invalid } from '../../../errors.ts';
import { documentCsvColumns, documentCsvEntry, toCsv } from '../../../model/csv.ts';
import type { Scope } from '../../../scope.ts';
import { exportAction } from '../bulk-action.ts';
import { exportedDocument, requireSchemas } from '../exported-document.ts';
import { names, onlyThese, trueOrFalse } from '../parameters.ts';

const parameters = onlyThese({
  schemas: names.optional(),
  xpaths: names.default([]),
  sort: trueOrFalse.default(false),
  zip: trueOrFalse.default(false),
  lang: z.string('is no text').optional(), // ignored: columns have no labels
});

type Parameters = z.output<typeof parameters>;

const xpathsOf = ({ model }: Scope, schemas: readonly string[]): string[] =>
  schemas.flatMap((name) =>
    [...(model.schemas.get(name)?.properties.values() ?? [])].map(({ xpath }) => xpath),
  );

/** The columns come before the first document is known, so they do not depend on the documents. */
const schemasOf = ({ schemas, xpaths }: Parameters): readonly string[] =>
  schemas ?? (xpaths.length > 0 ? [] : ['dublincore']);

const columnsOf = (scope: Scope, given: Parameters): string[] => [
  ...new Set([...documentCsvColumns, ...xpathsOf(scope, schemasOf(given)), ...given.xpaths]),
];

function check(scope: Scope, { schemas = [], xpaths }: Parameters): void {
  if (schemas.includes('*')) throw new Invalid('schemas: the columns need the names of schemas');
  requireSchemas(scope, schemas);
  const known = new Set(xpathsOf(scope, [...scope.model.schemas.keys()]));
  const unknown = xpaths.find((xpath) => !known.has(xpath));
  if (unknown !== undefined) throw new Invalid(`xpaths: there is no property ${unknown.slice(0, 80)}`);
}

/** A line of column names, then a line for each document. */
export const csvExportAction = exportAction({
  name: 'csvExport',
  mimeType: 'text/csv',
  ending: 'csv',
  isById: ({ sort }) => sort, // all lines begin with the repository, then the id
  isZipped: ({ zip }) => zip,
  parameters,
  check,
  header: (scope, given) => toCsv(columnsOf(scope, given), []),
  lines: async (context, documents, given) => {
    const shown = await Promise.all(documents.map((row) => exportedDocument(row, ['*'], context)));
    const columns = columnsOf(context, given);
    return shown.map((document) => toCsv(columns, [documentCsvEntry(document)], false));
  },
});
