import { builder, Group, User } from '../../graphql/builder.ts';
import { fixedOrderPage, implementPage, pageCost } from '../../graphql/page.ts';
import type { CreatedAuthority } from '../../loaders/authorities/latest-created.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { requireEditor } from '../../store/authorities/rights.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';

const UserOrGroup = builder.objectRef<CreatedAuthority>('UserOrGroup');
UserOrGroup.implement({
  description: 'A user or a group; the other field is null.',
  fields: (t) => ({
    user: t.field({ type: User, nullable: true, resolve: (row) => (row.kind === 'user' ? row : null) }),
    group: t.field({ type: Group, nullable: true, resolve: (row) => (row.kind === 'group' ? row : null) }),
  }),
});

const UsersOrGroups = builder.objectRef<PageShape<CreatedAuthority>>('UsersOrGroups');
implementPage(UsersOrGroups, UserOrGroup, 'A page of users and groups.');

builder.objectField(PageProviderType, 'usersOrGroups', (t) =>
  t.field({
    type: UsersOrGroups,
    nullable: true,
    description:
      'The users and groups that the page provider returns; null if it returns something else. For administrators and power users.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('usersOrGroups', ({ load, user }, _, args) => {
      requireEditor(user);
      return fixedOrderPage(args, (page) => load.latestCreated({}, page));
    }),
  }),
);
