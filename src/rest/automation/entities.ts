import type { OutputKind } from '../../automation/kinds.ts';
import { resultField } from '../../automation/output-kinds.ts';
import {
  constant,
  entityType,
  Field,
  type Selection,
  type SelectionNode,
} from '../../selection/selection.ts';
import { pageOfFoundSelection } from '../answer/page.ts';
import { blobSelection } from '../blobs/entities.ts';

const notEmpty = new Field({ format: (list) => ((list as unknown[]).length > 0 ? list : undefined) });

const operation: Selection = {
  id: true,
  aliases: notEmpty,
  label: true,
  category: true,
  requires: true,
  description: true,
  url: true,
  signature: true,
  params: {
    name: true,
    description: true,
    type: true,
    required: true,
    widget: true,
    order: true,
    values: true,
  },
};

const login: Selection = {
  'entity-type': entityType,
  username: true,
  isAdministrator: true,
  groups: true,
};

/** The list of operations (§4.7). `codecs` is always empty, because the server has none. */
const operations: Selection = {
  paths: constant({ login: 'login' }),
  codecs: constant([]),
  operations: new Field({ name: 'entries', of: operation }),
  chains: operation,
};

/** §4.7: the descriptions of operations, and the results of calls. */
export const automationEntities = ({
  document,
  found: page,
  documentList: documents,
  user,
  logEntries,
}: Record<'document' | 'found' | 'documentList' | 'user' | 'logEntries', Selection>) => {
  const fields = {
    document,
    documents,
    page,
    blob: blobSelection,
    blobs: blobSelection,
    user,
    recordSet: { ...pageOfFoundSelection, entries: true },
    logEntries,
    json: true,
    value: { 'entity-type': new Field({ name: 'type' }), value: true },
  } as const satisfies Record<string, SelectionNode>;
  return {
    login,
    operation,
    operations,
    operationResult: (kinds: readonly OutputKind[]): Selection => {
      const wanted = new Set(kinds.flatMap((kind) => (kind === 'void' ? [] : [resultField[kind]])));
      return { kind: true, ...Object.fromEntries([...wanted].map((name) => [name, fields[name]])) };
    },
  };
};
