import { entityType, Field, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';

const present = new Field({ format: (value) => value ?? undefined });
const failures = new Field({
  of: { id: true, message: true },
  format: (list) => ((list as unknown[]).length > 0 ? list : undefined),
});

const status: Selection = {
  'entity-type': entityType,
  commandId: true,
  state: true,
  processed: true,
  skipCount: true,
  error: true,
  errorCount: true,
  errorMessage: present,
  total: true,
  action: true,
  username: true,
  submitted: true,
  scrollStart: true,
  scrollEnd: true,
  processingStart: true,
  processingEnd: true,
  completed: true,
  processingMillis: true,
};

const result = new Field({ of: { url: true }, format: (value) => value ?? undefined });

export const bulkStatusSelection: Selection = { ...status, failures, result };

export const bulkStatusesSelection: Selection = { ...pageSelection, entries: status };
