import { entityType, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';

const shareLink: Selection = {
  'entity-type': entityType,
  id: true,
  mode: true,
  documentId: true,
  title: true,
  end: true,
  hasPassword: true,
  createdBy: true,
  createdAt: true,
  opened: true,
  lastOpenedAt: true,
};

export const shareEntities = {
  shareLink,
  createdShareLink: { ...shareLink, url: true },
  shareLinks: { ...pageSelection, entries: shareLink },
} satisfies Record<string, Selection>;
