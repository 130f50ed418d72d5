import { useAnswer } from '../graphql/client.ts';
import { model } from '../graphql/operations.ts';
import { type SchemaModel, schemaModel } from './field-model.ts';

/** Loads schemas and their fields. Returns undefined until the content model has been loaded. */
export function useSchemas(names: readonly string[]): readonly SchemaModel[] | undefined {
  const { data } = useAnswer(model, {}, { staleTime: Number.POSITIVE_INFINITY });
  return data?.schemas.entries.filter(({ name }) => names.includes(name)).map(schemaModel);
}
