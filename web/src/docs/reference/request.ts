import { ownHeaders } from '../../graphql/client.ts';
import type { Addressed, Parameter } from './description.ts';

/** What was filled in, by `PLACE NAME` of each parameter. */
export interface Filled {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly file: File | null;
}

export const keyOf = ({ name, in: place }: Pick<Parameter, 'name' | 'in'>): string => `${place} ${name}`;

/** The address below the page's base. The slashes of paths stay as they are. */
export function addressOf({ path }: Addressed, parameters: readonly Parameter[], { values }: Filled): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[keyOf({ name, in: 'path' })] ?? '').split('/').map(encodeURIComponent).join('/'),
  );
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && values[keyOf(each)])
      .map((each) => [each.name, values[keyOf(each)] ?? '']),
  );
  return `api/v1${filled}${query.size > 0 ? `?${query}` : ''}`;
}

function bodyOf({ operation }: Addressed, { body, file }: Filled): { type?: string; body?: BodyInit } {
  const types = Object.keys(operation.requestBody?.content ?? {});
  if (types.includes('application/octet-stream'))
    return { type: 'application/octet-stream', body: file ?? body };
  if (file && types.includes('multipart/form-data')) {
    const form = new FormData();
    if (types.includes('application/json'))
      form.append('params', new Blob([body], { type: 'application/json' }));
    form.append('file', file);
    return { body: form };
  }
  return types.includes('application/json') ? { type: 'application/json', body } : {};
}

export interface Shown {
  readonly status: string;
  readonly headers: readonly string[];
  readonly text: string;
  /** The bytes, where they are no text; milliseconds that it took. */
  readonly file?: Blob;
  readonly took: number;
}

/** Sends what was filled in, with the session of the page. */
export async function sendFilled(
  addressed: Addressed,
  parameters: readonly Parameter[],
  filled: Filled,
): Promise<Shown> {
  const { type, body } = bodyOf(addressed, filled);
  const headers = new Headers({ Accept: 'application/json, */*;q=0.5', ...ownHeaders() });
  if (type) headers.set('Content-Type', type);
  for (const each of parameters)
    if (each.in === 'header' && filled.values[keyOf(each)])
      headers.set(each.name, filled.values[keyOf(each)] ?? '');
  const began = performance.now();
  const answer = await fetch(addressOf(addressed, parameters, filled), {
    method: addressed.method.toUpperCase(),
    headers,
    ...(body !== undefined && { body }),
  });
  const bytes = await answer.blob();
  const isText = /json|^text\/|xml/.test(bytes.type);
  const text = isText ? await bytes.text() : '';
  return {
    status: `${answer.status} ${answer.statusText}`,
    headers: [...answer.headers].map(([name, value]) => `${name}: ${value}`),
    text: /json/.test(bytes.type) ? JSON.stringify(JSON.parse(text), null, 2) : text,
    ...(!isText && bytes.size > 0 && { file: bytes }),
    took: performance.now() - began,
  };
}
