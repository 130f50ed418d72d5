import { updateDocument } from '../../../store/documents/update-document.ts';
import { documentMutation } from '../../operation.ts';

export const documentSave = documentMutation({
  id: 'Document.Save',
  label: 'Save',
  description: 'Returns the input document, or its new version if the call requests one.',
  example: { input: '/default-domain/workspaces/report' },
  needs: 'WriteProperties',
  run: async (context, document) => {
    const { versioning } = context.options;
    return updateDocument(context, document, { versioning });
  },
});
