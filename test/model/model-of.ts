import { createModel } from '../../src/model/create-model.ts';
import type { ModelDefinition } from '../../src/model/definitions.ts';
import type { Model } from '../../src/model/model.ts';

/** A model of these definitions alone. */
export const modelOf = (definition: Partial<ModelDefinition>): Model =>
  createModel({
    schemas: [],
    facets: [],
    types: [],
    directories: [],
    versioning: [],
    pageProviders: [],
    workflows: [],
    chains: [],
    indexes: [],
    ...definition,
  });
