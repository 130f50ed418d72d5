import { type OutputKind, resultField } from '../../automation/operation.ts';
import { constant, entityType, Field, type Node, type Selection } from '../../selection.ts';
import { blob } from './blob.ts';

const notEmpty = new Field({ show: (list) => ((list as unknown[]).length > 0 ? list : undefined) });

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

/** All that can be called: chains and codecs of their own this server does not have. */
const operations: Selection = {
  paths: constant({ login: 'login' }),
  codecs: constant([]),
  operations: new Field({ name: 'entries', of: operation }),
  chains: constant([]),
};

/** §4.7: what operations answer, and what is told of them. */
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
    blob,
    blobs: blob,
    user,
    logEntries,
    json: true,
    value: { 'entity-type': new Field({ name: 'type' }), value: true },
  } as const satisfies Record<string, Node>;
  return {
    login,
    operation,
    operations,
    /** What an operation may answer: of the result, the fields for these kinds. */
    operationResult: (kinds: readonly OutputKind[]): Selection => {
      const wanted = new Set(kinds.flatMap((kind) => (kind === 'void' ? [] : [resultField[kind]])));
      return { kind: true, ...Object.fromEntries([...wanted].map((name) => [name, fields[name]])) };
    },
  };
};
