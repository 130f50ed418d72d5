import { makeRendition } from '../../../loaders/renditions/index.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { flag } from '../../params/kinds.ts';

export const documentExport = operation({
  id: 'Document.Export',
  label: 'Export document',
  category: 'Conversion',
  description:
    'Returns the input document as XML, or as an archive that also contains its files or its descendants.',
  example: { input: '/default-domain/workspaces/report' },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: {
    exportAsTree: flag.withDefault(false, 'Whether to return an archive of the folder with its descendants.'),
    exportAsZip: flag.withDefault(false, 'Whether to return an archive of the document with its files.'),
  },
  run: async (context, document, { exportAsTree, exportAsZip }) => {
    const row = await documentAt(context, document);
    const name = exportAsTree ? 'zipTreeExport' : exportAsZip ? 'zipExport' : 'xmlExport';
    return { ...(await makeRendition(context, row, name)), document: row };
  },
});
