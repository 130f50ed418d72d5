import { type Json, ref, textSchema } from './json-schema.ts';

const header = (description: string, schema: Json = textSchema): Json => ({ description, schema });

/** Headers that only some responses have. docs/requests.md lists the headers that all responses have. */
export const answerHeaders = {
  'Accept-Ranges': header('`bytes`, because `Range` is supported.'),
  'Content-Disposition': header('The name of the file, and whether browsers display or save it.'),
  'Content-Range': header('The range that is sent, and the total number of bytes.'),
  Digest: header('The digests of the bytes, as requested in `Want-Digest`.'),
  ETag: header('Identifies the state: for a document, its change token and a hash; for a file, its digest.'),
  'Last-Modified': header('The time at which the document that contains the file was last changed.'),
  Location: header('The URL of the created resource, or of the next request.'),
  'Preference-Applied': header('`explain` if the response is the explanation.'),
  'Retry-After': header('The number of seconds after which to try again.', { type: 'integer' }),
  Warning: header('`299` and the reason why the body had no effect.'),
  'WWW-Authenticate': header('How to authenticate.'),
} satisfies Readonly<Record<string, Json>>;

export type HeaderName = keyof typeof answerHeaders;

export const fileHeaderNames: readonly HeaderName[] = [
  'Accept-Ranges',
  'Content-Disposition',
  'Digest',
  'ETag',
  'Last-Modified',
];

export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
