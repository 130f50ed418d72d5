import { entityType, type Selection } from '../../selection/selection.ts';

const tag: Selection = { 'entity-type': entityType, label: true, username: true };

export const tagEntities = {
  tag,
  tags: { 'entity-type': entityType, entries: tag },
} satisfies Record<string, Selection>;
