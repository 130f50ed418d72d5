import { entityType, type Selection } from '../../selection.ts';

const token: Selection = {
  'entity-type': entityType,
  id: true,
  username: true,
  application: true,
  deviceId: true,
  deviceDescription: true,
  permission: true,
  creationDate: true,
};

/** §5: login tokens are the same for every request. */
export const tokenEntities = {
  tokens: { 'entity-type': entityType, entries: token },
} satisfies Record<string, Selection>;
