import { unpublish } from '../../../store/versions/unpublish.ts';
import { publishedLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentRemoveProxies = documentMutation({
  id: 'Document.RemoveProxies',
  label: 'Remove Proxies',
  description:
    'Deletes all proxies of the input document that the caller can read, and returns the document.',
  example: {
    before: publishedLetter,
    input: '{letter}',
  },
  needs: 'Read',
  run: unpublish,
});
