import { followTransition } from '../../store/life-cycle.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** The next state of the input (§3). */
export const documentFollowLifecycleTransition = operation({
  id: 'Document.FollowLifecycleTransition',
  aliases: ['Document.SetLifeCycle'],
  label: 'Follow Life Cycle Transition',
  category: 'Document',
  description: 'Takes the input document from its state to the next one, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    value: required(
      text,
      'The transition: approve, obsolete, backToProject; delete and undelete are the trash.',
    ),
  },
  run: async (context, document, { value }) => followTransition(context, document, value),
});
