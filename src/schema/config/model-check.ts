import { basename } from 'node:path';
import { requireValidChains } from '../../automation/chains/validate.ts';
import { Invalid } from '../../errors.ts';
import { extensionModels, extensionPageProviders } from '../../extensions/loaded.ts';
import { builder } from '../../graphql/builder.ts';
import { type ConcernedDocuments, concernedDocuments } from '../../loaders/config/model-use.ts';
import { requireValidQueries } from '../../loaders/search/valid-queries.ts';
import { compareModels, type ModelChange } from '../../model/contributed/compare-models.ts';
import { loadModel, type ModelFile } from '../../model/contributed/contributed.ts';
import { lineOfLocation, lineOfSyntaxError } from '../../model/contributed/locate.ts';
import type { Model } from '../../model/model.ts';
import { type Fault, ModelError, requireAll } from '../../model/model-error.ts';
import { requireAdministrator } from '../../security/principal.ts';

interface FaultShape extends Fault {
  readonly line: number | undefined;
}

const ModelFault = builder.objectRef<FaultShape>('ModelFault').implement({
  description: 'An error because of which the server would not start with a model file.',
  fields: (t) => ({
    file: t.string({
      nullable: true,
      description: 'The name of the file that contains the error.',
      resolve: ({ file }) => (file === undefined ? null : basename(file)),
    }),
    location: t.exposeString('location', { description: 'The place, such as `types.Invoice.schemas[1]`.' }),
    line: t.int({
      nullable: true,
      description: 'The line, counted from 1, if the error is in the checked file.',
      resolve: ({ line }) => line,
    }),
    fault: t.exposeString('fault', { description: 'What is wrong.' }),
  }),
});

type Difference = ModelChange['differences'][number];

const ModelDifference = builder.objectRef<Difference>('ModelDifference').implement({
  description: 'An attribute of a definition that a model file would change.',
  fields: (t) => ({
    name: t.exposeString('name'),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The present value; null if there is none.',
    }),
    after: t.exposeString('after', { nullable: true, description: 'The new value; null if there is none.' }),
  }),
});

interface ChangeShape extends ModelChange {
  readonly concerned: ConcernedDocuments | undefined;
}

const ModelChangeType = builder.objectRef<ChangeShape>('ModelChange').implement({
  description: 'A part of the content model that a model file would change.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: '`type`, `facet`, `schema` or `field`.' }),
    name: t.exposeString('name', { description: 'The name; for a field, the xpath.' }),
    change: t.exposeString('change', { description: '`added`, `removed` or `changed`.' }),
    differences: t.field({
      type: [ModelDifference],
      description: 'The attributes that differ.',
      resolve: ({ differences }) => [...differences],
    }),
    documents: t.int({
      nullable: true,
      description:
        'The number of documents and versions of the type, with the facet, or with a value of the field or of a field of the schema. Null for what is added.',
      resolve: ({ concerned }) => concerned?.documents,
    }),
    isMinimum: t.boolean({
      description: 'Whether the number can be higher, because only 200,000 documents were read.',
      resolve: ({ concerned }) => concerned?.isMinimum ?? false,
    }),
  }),
});

interface CheckShape {
  readonly faults: readonly FaultShape[];
  readonly changes: readonly ChangeShape[];
}

const ModelCheck = builder.objectRef<CheckShape>('ModelCheck').implement({
  description: 'What a model file would do. Nothing is stored.',
  fields: (t) => ({
    faults: t.field({
      type: [ModelFault],
      description: 'Why the server would not start with the file; empty if it would.',
      resolve: ({ faults }) => [...faults],
    }),
    changes: t.field({
      type: [ModelChangeType],
      description: 'The types, facets, schemas and fields that would change; empty if there are faults.',
      resolve: ({ changes }) => [...changes],
    }),
  }),
});

const NewModelFile = builder.inputType('NewModelFile', {
  description: 'A model file to check.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name. The file is checked in place of the one with this name in MODEL_DIR.',
    }),
    text: t.string({ required: true }),
  }),
});

/** The line of a fault in the checked file; undefined if it is in another one. */
function lineOf({ file, location }: Fault, { name, text }: ModelFile): number | undefined {
  if (file === undefined || basename(file) !== name) return undefined;
  return lineOfSyntaxError(text) ?? lineOfLocation(text, location);
}

/** Loads the model as when the server starts, but with another file. @throws ModelError */
async function loadChanged(folder: string | undefined, file: ModelFile): Promise<Model> {
  const model = await loadModel(folder, extensionModels(), extensionPageProviders(), file);
  await requireAll([requireValidQueries(model), requireValidChains(model)]);
  return model;
}

builder.queryField('modelCheck', (t) =>
  t.field({
    type: ModelCheck,
    description:
      'Checks a model file as when the server starts, and compares the model that it would make with the present one. Only for administrators.',
    args: { file: t.arg({ type: NewModelFile, required: true }) },
    resolve: async (_, { file }, context) => {
      requireAdministrator(context.user, 'check the content model');
      if (!/^[\w.-]+\.json$/.test(file.name))
        throw new Invalid(`name: "${file.name}" is not the name of a JSON file.`);
      const { config, model } = context.services;
      try {
        const changes = compareModels(model, await loadChanged(config.MODEL_DIR, file));
        const concerned = await concernedDocuments(context, changes);
        return { faults: [], changes: changes.map((each) => ({ ...each, concerned: concerned.get(each) })) };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        return { faults: error.faults.map((each) => ({ ...each, line: lineOf(each, file) })), changes: [] };
      }
    },
  }),
);
