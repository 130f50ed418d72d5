import { unpublish } from '../../../store/versions/unpublish.ts';
import { publishedLetter } from '../../call-example.ts';
import { operation } from '../../operation.ts';

export const documentUnpublishAll = operation({
  id: 'Document.UnpublishAll',
  label: 'Unpublish Document',
  description: 'Deletes all proxies of the input document that the caller can read.',
  example: {
    before: publishedLetter,
    input: '{letter}',
  },
  kind: 'mutation',
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'void',
  run: async (context, document) => {
    await unpublish(context, document);
    return null;
  },
});
