import { z } from 'zod';
import { exportAction } from '../bulk-action.ts';
import { exportedDocument, requireSchemas } from '../exported-document.ts';
import { names } from '../parameters.ts';

export const jsonlExportAction = exportAction({
  name: 'jsonlExport',
  mimeType: 'application/x-ndjson',
  ending: 'jsonl',
  parameters: z.object({ schemas: names.default(['*']) }),
  check: (scope, { schemas }) => requireSchemas(scope, schemas),
  header: () => '',
  lines: async (context, documents, { schemas }) => {
    const shown = await Promise.all(documents.map((row) => exportedDocument(row, schemas, context)));
    return shown.map((document) => `${JSON.stringify(document)}\n`);
  },
});
