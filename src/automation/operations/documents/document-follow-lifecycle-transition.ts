import { followTransition } from '../../../store/documents/life-cycle.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentFollowLifecycleTransition = documentMutation({
  id: 'Document.FollowLifecycleTransition',
  aliases: ['Document.SetLifeCycle'],
  label: 'Follow Life Cycle Transition',
  needs: 'WriteLifeCycle',
  description: 'Changes the life cycle state of the input document, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { value: 'approve' } },
  params: {
    value: text.required(
      'The transition: approve, obsolete or backToProject; delete and undelete move the document to and from the trash.',
    ),
  },
  locks: ({ value }) => ({ withFolders: value === 'delete' || value === 'undelete' }),
  run: async (context, document, { value }) => followTransition(context, document, value),
});
