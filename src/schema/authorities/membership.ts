import { builder, Group, User } from '../../graphql/builder.ts';
import {
  addMember,
  addMemberGroup,
  type Membership as MembershipShape,
  removeMember,
  removeMemberGroup,
} from '../../store/authorities/memberships.ts';

const Membership = builder.objectRef<MembershipShape>('Membership').implement({
  description: 'A user and the group to which the user was added, or from which the user was removed.',
  fields: (t) => ({
    user: t.expose('user', { type: User }),
    group: t.expose('group', { type: Group }),
  }),
});

builder.mutationFields((t) => ({
  addMember: t.field({
    type: Membership,
    description: 'Adds a user to a group. Has no effect if the user is already a member.',
    args: { group: t.arg.id({ required: true }), user: t.arg.id({ required: true }) },
    resolve: (_, { group, user }, context) => addMember(context, user, group),
  }),
  removeMember: t.field({
    type: Membership,
    description: 'Removes a user from a group.',
    args: { group: t.arg.id({ required: true }), user: t.arg.id({ required: true }) },
    resolve: (_, { group, user }, context) => removeMember(context, user, group),
  }),
  addMemberGroup: t.field({
    type: Group,
    description: 'Adds a group to another group, and returns the latter.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => addMemberGroup(context, member, group),
  }),
  removeMemberGroup: t.field({
    type: Group,
    description: 'Removes a group from another group, and returns the latter.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => removeMemberGroup(context, member, group),
  }),
}));
