import {
  addMember,
  addMemberGroup,
  type Membership as MembershipShape,
  removeMember,
  removeMemberGroup,
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
  addMemberGroup: t.field({
    type: Group,
    description: 'Puts a group into another; answers the other.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => context.wrote(addMemberGroup(context, member, group)),
  }),
  removeMemberGroup: t.field({
    type: Group,
    description: 'Takes a group out of another; answers the other.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => context.wrote(removeMemberGroup(context, member, group)),
  }),
}));
