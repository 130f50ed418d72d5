import type { ChainDefinition, ChainParamDefinition } from '../../model/chains/chain-definitions.ts';
import type { Model } from '../../model/model.ts';
import { inputOf, outcomeOfInput } from '../input.ts';
import type { OperationOutcome } from '../kinds.ts';
import { anyInput, type Operation, operation } from '../operation.ts';
import {
  anything,
  date,
  flag,
  integer,
  propertyMap,
  reference,
  references,
  text,
  texts,
} from '../params/kinds.ts';
import type { Param, ParamKind, Params } from '../params/param.ts';

export const chainParamKinds: Readonly<
  Record<NonNullable<ChainParamDefinition['type']>, ParamKind<unknown>>
> = {
  string: text,
  boolean: flag,
  integer,
  date,
  stringlist: texts,
  document: reference,
  documents: references,
  properties: propertyMap,
  object: anything,
};

function paramOf({
  type = 'string',
  description = '',
  values = [],
  ...own
}: ChainParamDefinition): Param<unknown> {
  const kind = chainParamKinds[type];
  if (own.required) return kind.required(description, { values });
  if (own.default === undefined) return kind.optional(description, { values });
  const read = kind.read.safeParse(own.default);
  return kind.withDefault(read.data, description, { values });
}

const paramsOf = ({ params = [] }: ChainDefinition): Params =>
  Object.fromEntries(params.map((definition) => [definition.name, paramOf(definition)]));

const chainOperation = (definition: ChainDefinition): Operation =>
  operation({
    id: definition.name,
    label: definition.label ?? definition.name,
    category: definition.category ?? 'Chain',
    description: definition.description ?? '',
    kind: 'mutation',
    ...(definition.isForAdministrators && { isForAdministrators: true }),
    takes: anyInput,
    gives: 'object',
    params: paramsOf(definition),
    run: async (context, _, parameters, call) => {
      let { input } = call;
      let gave: OperationOutcome | undefined;
      for (const { id, params = {} } of definition.operations) {
        gave = await call.with({ input, parameters }).run(id, params);
        if (gave) input = await inputOf(context, gave);
      }
      return gave ?? outcomeOfInput(context, input);
    },
  });

const known = new WeakMap<Model, ReadonlyMap<string, Operation>>();

/** Returns the chains that contributions add to the model, by name. */
export function chainsOf(model: Model): ReadonlyMap<string, Operation> {
  const chains =
    known.get(model) ??
    new Map([...model.chains].map(([name, definition]) => [name, chainOperation(definition)]));
  known.set(model, chains);
  return chains;
}

/** @param name the name of the chain, with or without the prefix `Chain.`, which is part of the URLs in listings */
export const chainByName = (model: Model, name: string): Operation | undefined => {
  const chains = chainsOf(model);
  return chains.get(name) ?? chains.get(name.replace(/^Chain\./, ''));
};
