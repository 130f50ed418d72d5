import { useAnswer } from '../graphql/client.ts';
import { model } from '../graphql/operations.ts';
import { type SchemaModel, schemaModel } from './field-model.ts';

/** The named schemas with their fields; undefined until the content model is loaded. */
export function useSchemas(names: readonly string[]): readonly SchemaModel[] | undefined {
  const { data } = useAnswer(model, {}, { staleTime: Number.POSITIVE_INFINITY });
  return data?.schemas.entries.filter(({ name }) => names.includes(name)).map(schemaModel);
}
