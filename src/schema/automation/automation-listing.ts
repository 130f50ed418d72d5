import { chainByName, chainsOf } from '../../automation/chains/chains.ts';
import { signatureIn } from '../../automation/chains/signature.ts';
import { availableOperation, operations } from '../../automation/index.ts';
import { isAvailableTo, type Operation } from '../../automation/operation.ts';
import type { Param } from '../../automation/params/param.ts';
import { builder } from '../../graphql/builder.ts';

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
    values: t.exposeStringList('values', {
      description: 'The allowed values; if empty, any value of the type is allowed.',
    }),
  }),
});

const OperationInfo = builder.objectRef<Operation>('OperationInfo').implement({
  description: 'The name, aliases and parameters of an operation.',
  fields: (t) => ({
    id: t.exposeID('id'),
    aliases: t.stringList({ resolve: ({ aliases = [] }) => [...aliases] }),
    label: t.exposeString('label'),
    category: t.exposeString('category'),
    requires: t.string({ nullable: true, resolve: () => null }),
    description: t.exposeString('description'),
    url: t.string({
      description: 'The URL of the operation below `/automation`.',
      resolve: (operation, _, { services: { model } }) =>
        chainByName(model, operation.id) === operation ? `Chain.${operation.id}` : operation.id,
    }),
    signature: t.stringList({
      description: 'Pairs of input and output kinds, in one list: input, output, input, output.',
      resolve: (operation, _, { services: { model } }) => signatureIn(model, operation),
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
    chains: t.field({
      type: [OperationInfo],
      description: 'The chains that contributions define.',
      resolve: (_, __, { services: { model }, user }) =>
        [...chainsOf(model).values()].filter((each) => isAvailableTo(each, user)),
    }),
  }),
});

builder.queryFields((t) => ({
  operations: t.field({
    type: Operations,
    description: 'The operations that the caller can use, ordered by id.',
    resolve: (_, __, { user }) => operations.filter((each) => isAvailableTo(each, user)),
  }),
  operation: t.field({
    type: OperationInfo,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => availableOperation(id, context),
  }),
}));
