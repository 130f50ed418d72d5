import { builder, Group, User } from '../../graphql/builder.ts';
import {
  addMember,
  addMemberGroup,
  type Membership as MembershipShape,
  removeMember,
  removeMemberGroup,
} from '../../store/authorities/memberships.ts';

const Membership = builder.objectRef<MembershipShape>('Membership').implement({
  description: 'The user and the group of a membership that was added or removed.',
  fields: (t) => ({
    user: t.expose('user', { type: User }),
    group: t.expose('group', { type: Group }),
  }),
});

builder.mutationFields((t) => ({
  addMember: t.field({
    type: Membership,
    description: 'Adds a user to a group. Has no effect when the user is a member already.',
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
    description: 'Adds a group to another one; returns the other one.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => addMemberGroup(context, member, group),
  }),
  removeMemberGroup: t.field({
    type: Group,
    description: 'Removes a group from another one; returns the other one.',
    args: { group: t.arg.id({ required: true }), member: t.arg.id({ required: true }) },
    resolve: (_, { group, member }, context) => removeMemberGroup(context, member, group),
  }),
}));
