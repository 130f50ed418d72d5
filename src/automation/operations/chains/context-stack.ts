import { Invalid } from '../../../errors.ts';
import type { StoredBlob } from '../../../model/values/stored.ts';
import type { KnownInput } from '../../call.ts';
import type { CallExample } from '../../call-example.ts';
import { outcomeOfInput } from '../../input.ts';
import type { Inputs } from '../../kinds.ts';
import { operation } from '../../operation.ts';

type Kind = 'document' | 'documents' | 'blob' | 'bloblist';

const labels: Readonly<Record<Kind, string>> = {
  document: 'Document',
  documents: 'Document List',
  blob: 'File',
  bloblist: 'File List',
};

const shared = { category: 'Push & Pop', gives: 'object' } as const;

/** Returns the name of an input's kind for use in messages. A list created from a single blob is called a blob. */
const kindOf = (known: KnownInput): string => ('isSingle' in known ? 'blob' : known.kind);

function inputAs(kind: Kind, value: unknown): KnownInput {
  if (kind === 'document') return { kind, value: value as Inputs['document'] };
  if (kind === 'documents') return { kind, value: value as Inputs['documents'] };
  const blobs = value as readonly StoredBlob[];
  if (kind === 'bloblist') return { kind, value: blobs };
  if (blobs.length !== 1) throw new Invalid(`input must be one file; got ${blobs.length}.`);
  return { kind: 'bloblist', value: blobs, isSingle: true };
}

const notes = { 'notes.txt': 'Some notes.' };
const report = '/default-domain/workspaces/report';
const pushed: Readonly<Record<Kind, CallExample>> = {
  document: { input: report },
  documents: { input: [report] },
  blob: { files: notes },
  bloblist: { files: { ...notes, 'more.txt': 'More of them.' } },
};

const push = (kind: Kind, id: string, alias: string) =>
  operation({
    ...shared,
    id,
    aliases: [alias],
    label: `Push ${labels[kind]}`,
    description: 'Pushes the input onto the stack of the chain, and returns it.',
    example: pushed[kind],
    takes: [kind === 'blob' ? 'bloblist' : kind],
    signature: [kind, kind],
    run: async (context, input, _, call) => {
      const known = inputAs(kind, input);
      call.stack.push(known);
      return outcomeOfInput(context, known);
    },
  });

const take = (kind: Kind, [id, alias]: readonly [string, string], end: 'first' | 'last') =>
  operation({
    ...shared,
    id,
    aliases: [alias],
    label: `${end === 'last' ? 'Pop' : 'Pull'} ${labels[kind]}`,
    description: `Removes the ${end} item from the stack of the chain, and returns it.`,
    example: { none: 'The stack exists only within a chain; for a single call it is empty.' },
    signature: ['void', kind],
    run: async (context, _, __, { stack }) => {
      const isIt = (known: KnownInput) => kindOf(known) === kind;
      const index = end === 'last' ? stack.findLastIndex(isIt) : stack.findIndex(isIt);
      const [known] = index < 0 ? [] : stack.splice(index, 1);
      if (!known) throw new Invalid(`${id}: there is no ${kind} on the stack.`);
      return outcomeOfInput(context, known);
    },
  });

export const contextPushDocument = push('document', 'Context.PushDocument', 'Document.Push');
export const contextPushDocumentList = push('documents', 'Context.PushDocumentList', 'Document.PushList');
export const contextPushBlob = push('blob', 'Context.PushBlob', 'Blob.Push');
export const contextPushBlobList = push('bloblist', 'Context.PushBlobList', 'Blob.PushList');

export const contextPopDocument = take('document', ['Context.PopDocument', 'Document.Pop'], 'last');
export const contextPopDocumentList = take(
  'documents',
  ['Context.PopDocumentList', 'Document.PopList'],
  'last',
);
export const contextPopBlob = take('blob', ['Context.PopBlob', 'Blob.Pop'], 'last');
export const contextPopBlobList = take('bloblist', ['Context.PopBlobList', 'Blob.PopList'], 'last');

export const contextPullDocument = take('document', ['Context.PullDocument', 'Document.Pull'], 'first');
export const contextPullDocumentList = take(
  'documents',
  ['Context.PullDocumentList', 'Document.PullList'],
  'first',
);
export const contextPullBlob = take('blob', ['Context.PullBlob', 'Blob.Pull'], 'first');
export const contextPullBlobList = take('bloblist', ['Context.PullBlobList', 'Blob.PullList'], 'first');
