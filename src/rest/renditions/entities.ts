import { entityType, type Selection } from '../../selection/selection.ts';

export const renditionEntities = {
  conversionScheduled: { 'entity-type': entityType, conversionId: true, pollingURL: true, resultURL: true },
  conversionStatus: { 'entity-type': entityType, conversionId: true, status: true, resultURL: true },
} satisfies Record<string, Selection>;
