import { moveMember } from '../../store/collections.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

/** The input collection in another order. */
export const documentMoveCollectionMember = operation({
  id: 'Document.MoveCollectionMember',
  aliases: ['Collection.MoveMember'],
  label: 'Move collection member',
  category: 'Document',
  description:
    'Moves a member of the input collection, and answers whether anything is in another place now.',
  kind: 'mutation',
  takes: ['document'],
  gives: 'boolean',
  params: {
    member1: required(reference, 'The member that is moved.'),
    member2: optional(reference, 'The member that it comes to be right behind; without one it is the first.'),
  },
  run: async (context, collection, { member1, member2 }) =>
    moveMember(context, collection, {
      member: referenceTo(member1),
      behind: member2 === undefined ? undefined : referenceTo(member2),
    }),
});
