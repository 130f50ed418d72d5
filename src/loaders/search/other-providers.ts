import { Invalid } from '../../errors.ts';
import type { PageProvider } from '../../model/model.ts';
import type { OtherProvider } from '../../model/search/other-providers.ts';
import { readParameterText } from '../../query/providers/provider-parameters.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import type { PageRequest } from '../lists/page.ts';

export interface ProvidedRequest extends PageRequest {
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly queryParams?: readonly string[] | null | undefined;
  /** The addressed document: the first positional parameter. */
  readonly document?: string | undefined;
}

export const isOtherProvider = (provider: PageProvider): provider is OtherProvider => 'finds' in provider;

const isList = (parameter: string | undefined): boolean => parameter?.startsWith('actors') ?? false;

/**
 * Where one is expected, commas belong to it; those that the page provider does not have are ignored.
 * @throws Invalid when one is missing.
 */
export function positionalValues(
  context: Context,
  { name, takes }: OtherProvider,
  { queryParams, document }: ProvidedRequest,
): Partial<Record<OtherProvider['takes'][number], readonly string[]>> {
  const variables = variablesOf(context);
  const isSingle = takes.length === 1 && !isList(takes[0]) && document === undefined;
  const texts = queryParams ?? [];
  const given = (isSingle && texts.length > 0 ? [texts.join(',')] : texts).map((text) =>
    readParameterText('queryParams', text, variables),
  );
  if (document !== undefined) given.unshift(document);
  if (given.length < takes.length)
    throw new Invalid(`queryParams: ${name} takes ${takes.join(', ')}; got ${given.length}`);
  return Object.fromEntries(
    takes.map((parameter, index) => [
      parameter,
      given.slice(index, isList(parameter) ? undefined : index + 1),
    ]),
  );
}
