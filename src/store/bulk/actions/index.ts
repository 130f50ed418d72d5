import { Invalid } from '../../../errors.ts';
import type { BulkAction } from '../bulk-action.ts';
import { automationAction, automationUiAction } from './automation.ts';
import { csvExportAction } from './csv-export.ts';
import { deletionAction } from './deletion.ts';
import { addFacetAction, removeFacetAction } from './facets.ts';
import { jsonlExportAction } from './jsonl-export.ts';
import { moveAction } from './move.ts';
import { setPropertiesAction } from './set-properties.ts';
import { setSystemPropertiesAction } from './set-system-properties.ts';
import { trashAction, untrashAction } from './trash.ts';

const actions: readonly BulkAction[] = [
  setPropertiesAction,
  setSystemPropertiesAction,
  addFacetAction,
  removeFacetAction,
  trashAction,
  untrashAction,
  deletionAction,
  moveAction,
  automationAction,
  automationUiAction,
  csvExportAction,
  jsonlExportAction,
];

/**
 * Returns the bulk action with the given name or alias.
 * @throws Invalid
 */
export function bulkActionNamed(name: string): BulkAction {
  const action = actions.find((each) => each.name === name || each.aliases?.includes(name));
  if (action) return action;
  const names = actions.map((each) => each.name).join(', ');
  throw new Invalid(`There is no bulk action ${name.slice(0, 80)}. The bulk actions are ${names}.`);
}
