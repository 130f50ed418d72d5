import { Invalid } from '../../errors.ts';
import type { PageProvider } from '../../model/model.ts';
import type { OtherProvider } from '../../model/search/other-providers.ts';
import { readParameterText } from '../../query/providers/provider-parameters.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import type { PageRequest } from '../lists/page.ts';

/** A request for a page of a page provider that finds entities other than documents. */
export interface ProvidedRequest extends PageRequest {
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly queryParams?: readonly string[] | null | undefined;
  /** The id of the document in the URL, which becomes the first positional parameter. */
  readonly document?: string | undefined;
}

export const isOtherProvider = (provider: PageProvider): provider is OtherProvider => 'finds' in provider;

const isList = (parameter: string | undefined): boolean => parameter?.startsWith('actors') ?? false;

/**
 * Assigns the positional values in a request to the parameters of a page provider. If the provider takes a single
 * value, commas are part of that value. Surplus values are ignored.
 * @throws Invalid if a value is missing
 */
export function positionalValues(
  context: Context,
  { name, takes }: OtherProvider,
  { queryParams, document }: ProvidedRequest,
): Partial<Record<OtherProvider['takes'][number], readonly string[]>> {
  const variables = variablesOf(context);
  const isSingle = takes.length === 1 && !isList(takes[0]) && document === undefined;
  const texts = queryParams ?? [];
  const values = (isSingle && texts.length > 0 ? [texts.join(',')] : texts).map((text) =>
    readParameterText('queryParams', text, variables),
  );
  if (document !== undefined) values.unshift(document);
  if (values.length < takes.length)
    throw new Invalid(`queryParams: ${name} requires values for ${takes.join(', ')}; got ${values.length}.`);
  return Object.fromEntries(
    takes.map((parameter, index) => [
      parameter,
      values.slice(index, isList(parameter) ? undefined : index + 1),
    ]),
  );
}
