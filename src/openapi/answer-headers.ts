import { type Json, ref, textSchema } from './json-schema.ts';

const header = (description: string, schema: Json = textSchema): Json => ({ description, schema });

/** Headers that only some responses have. docs/requests.md lists those of all responses. */
export const answerHeaders = {
  'Accept-Ranges': header('`bytes`: `Range` is served.'),
  'Content-Disposition': header('The name of the file, and whether browsers show or save it.'),
  'Content-Range': header('The sent range and the total number of bytes.'),
  Digest: header('The digests of the bytes that `Want-Digest` asks for.'),
  ETag: header('Identifies the state: for a document its change token and a hash, for a file its digest.'),
  'Last-Modified': header('When the document of the file was last changed.'),
  Location: header('The address of the created resource, or of the next request.'),
  'Preference-Applied': header('`explain`: the answer is the explanation.'),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer' }),
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
