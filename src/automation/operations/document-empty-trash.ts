import { Invalid } from '../../errors.ts';
import { emptyTrash } from '../../store/empty-trash.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** The end of what is in the trash of the input (§3). */
export const documentEmptyTrash = operation({
  id: 'Document.EmptyTrash',
  label: 'Empty Trash',
  category: 'Document',
  description:
    'Deletes for good what is in the trash directly in the input folder, as far as the caller may, and answers it.',
  kind: 'mutation',
  takes: ['document', 'void'],
  isForEach: true,
  gives: 'document',
  params: { parent: optional(reference, 'The folder, where it is not the input.') },
  holds: ({ parent }) => ({ besides: parent === undefined ? [] : [referenceTo(parent)] }),
  run: async (context, document, { parent }) => {
    const folder = parent === undefined ? document : referenceTo(parent);
    if (!folder) throw new Invalid('input: Document.EmptyTrash takes a folder');
    return emptyTrash(context, folder);
  },
});
