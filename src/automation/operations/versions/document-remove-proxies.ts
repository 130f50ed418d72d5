import { unpublish } from '../../../store/versions/unpublish.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

export const documentRemoveProxies = documentMutation({
  id: 'Document.RemoveProxies',
  label: 'Remove Proxies',
  description:
    'Deletes all proxies of the input document that the caller may read, and returns the document.',
  example: {
    before: [
      newLetter,
      {
        call: 'Document.PublishToSection',
        input: '{letter}',
        params: { target: '/default-domain/sections/news' },
      },
    ],
    input: '{letter}',
  },
  run: unpublish,
});
