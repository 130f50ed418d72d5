import { entityType, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';

const job: Selection = {
  'entity-type': entityType,
  id: true,
  kind: true,
  key: true,
  state: true,
  createdAt: true,
  runAt: true,
  attempts: true,
  error: true,
  document: { repository: true, uid: true, path: true, title: true },
};

export const jobsSelection: Selection = { ...pageSelection, entries: job };
