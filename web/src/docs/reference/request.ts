import { fileHeaders } from '../../graphql/client.ts';
import type { Addressed, Parameter } from './description.ts';

/**
 * The contents of the form. Each key in `values` consists of a parameter's location and name, such as `query pageSize`.
 */
export interface Filled {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly files: readonly File[];
}

export const keyOf = ({ name, in: place }: Pick<Parameter, 'name' | 'in'>): string => `${place} ${name}`;

const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
};

const types: Readonly<Record<string, string>> = { txt: 'text/plain', pdf: 'application/pdf' };

const fileOf = (text: unknown, name: string): File =>
  new File([String(text)], name, { type: types[name.replace(/^.*\./, '')] ?? '' });

/** Returns the initial contents of the form, which come from the operation's example. */
export function filledExample({ operation }: Addressed, parameters: readonly Parameter[]): Filled {
  const content = operation.requestBody?.content ?? {};
  const form = content['multipart/form-data']?.example as Readonly<Record<string, unknown>> | undefined;
  const { params, ...parts } = form ?? {};
  const bytes = content['application/octet-stream']?.example;
  const none = content['application/json'] ? {} : undefined;
  return {
    values: Object.fromEntries(parameters.map((each) => [keyOf(each), textOf(each.example)])),
    body: textOf(content['application/json']?.example ?? params ?? none),
    files: [
      ...Object.entries(parts).map(([name, text]) => fileOf(text, name === 'file' ? 'report.txt' : name)),
      ...(bytes === undefined ? [] : [fileOf(bytes, 'report.txt')]),
    ],
  };
}

/**
 * Returns the query parameters for a value. A value of type object is written as JSON and contains several parameters
 * by name.
 */
const queryOf = ({ name, schema }: Parameter, value: string): Array<[string, string]> =>
  schema.type === 'object'
    ? Object.entries(JSON.parse(value) as object).map(([key, each]) => [key, String(each)])
    : [[name, value]];

/** Returns the URL of the request, relative to the base URL of the page. Slashes in paths are not encoded. */
export function addressOf({ path }: Addressed, parameters: readonly Parameter[], { values }: Filled): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[keyOf({ name, in: 'path' })] ?? '').split('/').map(encodeURIComponent).join('/'),
  );
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && values[keyOf(each)])
      .flatMap((each) => queryOf(each, values[keyOf(each)] ?? '')),
  );
  return `api/v1${filled}${query.size > 0 ? `?${query}` : ''}`;
}

function bodyOf({ operation }: Addressed, { body, files }: Filled): { type?: string; body?: BodyInit } {
  const taken = Object.keys(operation.requestBody?.content ?? {});
  const isCall = taken.includes('application/json');
  if (taken.includes('application/octet-stream'))
    return { type: 'application/octet-stream', body: files[0] ?? body };
  if (files.length > 0 && taken.includes('multipart/form-data')) {
    const form = new FormData();
    if (isCall) form.append('params', new Blob([body], { type: 'application/json' }));
    for (const file of files) form.append(isCall ? 'input' : 'file', file);
    return { body: form };
  }
  return isCall ? { type: 'application/json', body } : {};
}

export interface Shown {
  readonly status: string;
  readonly headers: readonly string[];
  readonly text: string;
  /** The body of the response; absent if the body is text. */
  readonly file?: Blob;
  /** The number of milliseconds from sending the request to receiving the whole response. */
  readonly took: number;
}

/** Sends the request that the form describes, with the session cookie of the page. */
export async function sendFilled(
  addressed: Addressed,
  parameters: readonly Parameter[],
  filled: Filled,
): Promise<Shown> {
  const { type, body } = bodyOf(addressed, filled);
  const headers = new Headers({ Accept: 'application/json, */*;q=0.5', ...fileHeaders() });
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
