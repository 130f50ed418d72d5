import { documentAt } from '../../documents/document-at.ts';
import { documentQuery } from '../../operation.ts';

export const documentReload = documentQuery({
  id: 'Document.Reload',
  label: 'Reload',
  description: 'Returns the current state of the input document.',
  example: { input: '/default-domain/workspaces/report' },
  run: documentAt,
});
