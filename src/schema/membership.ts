import {
  addMember,
  type Membership as MembershipShape,
  removeMember,
} from '../store/authorities/memberships.ts';
import { builder, Group, User } from './builder.ts';

const Membership = builder.objectRef<MembershipShape>('Membership').implement({
  description: 'A user and a group that came together, or that parted.',
  fields: (t) => ({
    user: t.field({ type: User, resolve: ({ user }) => user }),
    group: t.field({ type: Group, resolve: ({ group }) => group }),
  }),
});

builder.mutationFields((t) => ({
  addMember: t.field({
    type: Membership,
    description: 'Lets a user join a group; twice is the same as once.',
    args: { group: t.arg.id({ required: true }), user: t.arg.id({ required: true }) },
    resolve: (_, { group, user }, context) => context.wrote(addMember(context, user, group)),
  }),
  removeMember: t.field({
    type: Membership,
    description: 'Lets a user leave a group.',
    args: { group: t.arg.id({ required: true }), user: t.arg.id({ required: true }) },
    resolve: (_, { group, user }, context) => context.wrote(removeMember(context, user, group)),
  }),
}));
