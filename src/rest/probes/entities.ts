import { entityType, type Selection } from '../../selection/selection.ts';

export const probesSelection: Selection = {
  'entity-type': entityType,
  entries: { 'entity-type': entityType, name: true, success: true, info: true, time: true },
};
