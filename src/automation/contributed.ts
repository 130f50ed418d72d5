import type { ContributedOperation, ContributedParameter } from '../extension.ts';
import { ExtensionError, inExtension } from '../extensions/guarded.ts';
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

function contributedOperation(extension: LoadedExtension, contributed: ContributedOperation): Operation {
  const { id, label, description, kind, input, output, permission = 'Read', parameters = {} } = contributed;
  const part = `the operation ${id}`;
  const takesDocument = input === 'document';
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
      const result = await inExtension(context, { extension, part }, (own) =>
        contributed.run(own, row && extensionDocument(row), params),
      );
      if (kind === 'mutation') context.reload();
      if (output === 'none') return null;
      if (output === 'json') return result ?? null;
      if (typeof result !== 'string')
        throw new ExtensionError(`The operation ${id} must return the id or path of a document.`);
      return documentAt(context, referenceTo(result));
    },
  } as Parameters<typeof operation>[0]);
}

/** The operations of the loaded extensions. */
export const contributedOperations = (): readonly Operation[] =>
  extensions().flatMap((extension) =>
    (extension.operations ?? []).map((contributed) => contributedOperation(extension, contributed)),
  );
