import type {
  ContributedOperation,
  ContributedParameter,
  ExtensionContext,
  ExtensionDocument,
} from '../extension.ts';
import { ExtensionError, inExtension, requireJson } from '../extensions/guarded.ts';
import { extensions, type LoadedExtension } from '../extensions/loaded.ts';
import { requirePermission } from '../loaders/acls/access.ts';
import { extensionDocument } from '../loaders/documents/extension-document.ts';
import type { Permission } from '../security/permissions.ts';
import { documentAt, referenceTo } from './documents/document-at.ts';
import { type Operation, operation } from './operation.ts';
import { anything, date, flag, integer, text, texts } from './params/kinds.ts';
import type { Param, ParamKind } from './params/param.ts';

const kinds = {
  string: text,
  boolean: flag,
  integer,
  date,
  list: texts,
  json: anything,
} as Readonly<Record<ContributedParameter['type'], ParamKind<unknown>>>;

function paramOf({ type, description, required }: ContributedParameter): Param<unknown> {
  return required ? kinds[type].required(description) : kinds[type].optional(description);
}

type OperationRun = (
  context: ExtensionContext,
  input: ExtensionDocument | null,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

function contributedOperation(extension: LoadedExtension, contributed: ContributedOperation): Operation {
  const { id, label, description, kind, input, output, permission = 'Read', parameters = {} } = contributed;
  const part = `the operation ${id}`;
  const takesDocument = input === 'document';
  // An operation that takes a document is called with one, and the others with null.
  const run = contributed.run.bind(contributed) as OperationRun;
  return operation({
    id,
    label,
    category: extension.name,
    description,
    kind,
    takes: [takesDocument ? 'document' : 'void'],
    ...(takesDocument && { needs: permission as Permission, isForEach: true }),
    gives: output === 'none' ? 'void' : output,
    params: Object.fromEntries(Object.entries(parameters).map(([name, given]) => [name, paramOf(given)])),
    run: async (context, reference, params) => {
      const row = reference === null ? null : await documentAt(context, reference as { id: string });
      if (row && permission !== 'Read') await requirePermission(context, row, permission as Permission);
      const result = await inExtension(context, { extension, part }, async (own) => {
        const returned = await run(own, row && extensionDocument(row), params);
        if (output === 'json') requireJson(returned);
        if (output === 'document' && typeof returned !== 'string')
          throw new ExtensionError('It must return the id or path of a document.');
        return returned;
      });
      if (kind === 'mutation') context.reload();
      if (output === 'none') return null;
      if (output === 'json') return result ?? null;
      return documentAt(context, referenceTo(String(result)));
    },
  } as Parameters<typeof operation>[0]);
}

/** The operations of the loaded extensions. */
export const contributedOperations = (): readonly Operation[] =>
  extensions().flatMap((extension) =>
    (extension.operations ?? []).map((contributed) => contributedOperation(extension, contributed)),
  );
