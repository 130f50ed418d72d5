import { moveMember } from '../../../store/collections/collections.ts';
import { letterInCollection } from '../../call-example.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentMoveCollectionMember = operation({
  id: 'Document.MoveCollectionMember',
  aliases: ['Collection.MoveMember'],
  label: 'Move collection member',
  description: 'Moves a member of the input collection, and returns whether the order has changed.',
  example: {
    before: letterInCollection,
    input: '{collection}',
    params: { member1: '{letter}' },
  },
  kind: 'mutation',
  takes: ['document'],
  needs: 'WriteProperties',
  gives: 'boolean',
  params: {
    member1: reference.required('The member to move.'),
    member2: reference.optional('The member that is to precede it; if absent, it becomes the first one.'),
  },
  run: async (context, collection, { member1, member2 }) =>
    moveMember(context, collection, {
      member: referenceTo(member1),
      behind: member2 === undefined ? undefined : referenceTo(member2),
    }),
});
