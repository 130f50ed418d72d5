import { type Json, ref, textSchema } from './json-schema.ts';

const header = (description: string, schema: Json = textSchema): Json => ({ description, schema });

/** Headers that only some answers have. docs/requests.md lists those of all answers. */
export const answerHeaders = {
  'Accept-Ranges': header('`bytes`: `Range` is served.'),
  'Content-Disposition': header('The name of the file, and whether browsers show or save it.'),
  'Content-Range': header('Which bytes of how many.'),
  Digest: header('The digests of the bytes that `Want-Digest` asks for.'),
  ETag: header('The state: of a document its change token and a hash of the rest, of a file its digest.'),
  'Last-Modified': header('When the document of the file was last changed.'),
  Location: header('The address of what was created, or of what the client asks for next.'),
  'Preference-Applied': header('`explain`: the answer is the explanation.'),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer' }),
  Warning: header('`299`: why the body had no effect.'),
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
