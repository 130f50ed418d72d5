import { operations } from '../automation/index.ts';
import { isFor, type Operation, signatureOf } from '../automation/operation.ts';
import type { Param } from '../automation/params.ts';
import { NotFound } from '../errors.ts';
import { builder } from './builder.ts';

/** A parameter with its name and its place among the others. */
interface NamedParam extends Param<unknown> {
  readonly name: string;
  readonly order: number;
}

const OperationParam = builder.objectRef<NamedParam>('OperationParam').implement({
  description: 'A parameter of an operation.',
  fields: (t) => ({
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    type: t.string({ resolve: ({ kind }) => kind.name }),
    required: t.exposeBoolean('isRequired'),
    widget: t.string({ nullable: true, resolve: () => null }),
    order: t.exposeInt('order'),
    values: t.stringList({
      description: 'All it can be; anything of its type when empty.',
      resolve: ({ values }) => [...values],
    }),
  }),
});

const OperationInfo = builder.objectRef<Operation>('OperationInfo').implement({
  description: 'What an operation is called by, and with.',
  fields: (t) => ({
    id: t.exposeID('id'),
    aliases: t.stringList({ resolve: ({ aliases = [] }) => [...aliases] }),
    label: t.exposeString('label'),
    category: t.exposeString('category'),
    requires: t.string({ nullable: true, resolve: () => null }),
    description: t.exposeString('description'),
    url: t.string({ description: 'Below /automation.', resolve: ({ id }) => id }),
    signature: t.stringList({
      description: 'What comes in and what goes out, in turn.',
      resolve: signatureOf,
    }),
    params: t.field({
      type: [OperationParam],
      resolve: ({ params }) =>
        Object.entries(params).map(([name, param], order) => ({ ...param, name, order })),
    }),
  }),
});

const Operations = builder.objectRef<readonly Operation[]>('Operations').implement({
  fields: (t) => ({
    entries: t.field({ type: [OperationInfo], resolve: (entries) => [...entries] }),
  }),
});

builder.queryFields((t) => ({
  operations: t.field({
    type: Operations,
    description: 'Every operation that is there for the caller, by its id.',
    resolve: (_, __, { user }) =>
      operations.filter((each) => isFor(each, user)).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }),
  operation: t.field({
    type: OperationInfo,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { user }) => {
      const found = operations.find((each) => each.id === id || each.aliases?.includes(id));
      if (!found || !isFor(found, user)) throw new NotFound(`there is no operation ${id}`);
      return found;
    },
  }),
}));
