import { updateDocument } from '../../store/update-document.ts';
import { operation } from '../operation.ts';

/** The input as it is, saved: there is nothing of it that is not, but a version may be made of it (§11). */
export const documentSave = operation({
  id: 'Document.Save',
  label: 'Save',
  category: 'Document',
  description: 'Saves the input document, and answers it; with X-Versioning-Option, the version of it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => {
    const { versioning } = context.options;
    return updateDocument(context, document, { versioning });
  },
});
