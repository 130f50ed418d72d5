import { hostileFiles } from './files.ts';
import type { Answer } from './sender.ts';

/** Sends a request as the hostile user. The body is sent as JSON unless another media type is given. */
export type Ask = (method: string, address: string, body?: Buffer | object, type?: string) => Promise<Answer>;

/** The documents and functions that reproductions use. */
export interface Scene {
  readonly ask: Ask;
  /** The URL of the hostile user's folder, such as `/api/v1/id/…`. */
  readonly folder: string;
  /** The path of the hostile user's folder. */
  readonly path: string;
  /** The path of a document that the hostile user can only read. */
  readonly other: string;
  /** The factor by which the default body sizes are multiplied. */
  readonly scale: number;
}

/** A sequence of requests that once blocked the search index, the event loop or the whole process. */
export interface Reproduction {
  readonly name: string;
  /** Creates the request bodies. @returns a function that sends the requests */
  readonly prepare: (scene: Scene) => () => Promise<Answer>;
}

const joined = (count: number, item: (index: number) => string, separator = ','): string =>
  Array.from({ length: Math.floor(count) }, (_, index) => item(index)).join(separator);

const raw = (...parts: string[]): Buffer => Buffer.from(parts.join(''));

const propertyLines = (scale: number): string => joined(700_000 * scale, (index) => `dc:t${index}=v`, '\\n');

const files = (scale: number): Buffer =>
  raw(
    '{"entity-type":"document","type":"File","name":"f","properties":{"files:files":[',
    joined(1_500_000 * scale, () => '{}'),
    ']}}',
  );

const document = (type: string, properties: object, name = 'n'): Buffer =>
  Buffer.from(JSON.stringify({ 'entity-type': 'document', type, name, properties }));

/** Returns the id of a created document, or the id of its folder if the creation was rejected. */
const idOf = ({ status, text }: Answer, folder: string): string =>
  (status === 201 && /"uid":"([^"]+)"/.exec(text)?.[1]) || (folder.split('/').at(-1) ?? '');

const worst = (answers: readonly Answer[]): Answer =>
  answers.reduce((one, other) => (other.status >= 500 || other.status === 0 || one.status < 1 ? other : one));

const formType = 'application/x-www-form-urlencoded';

const call = (operation: string) => `/api/v1/automation/${operation}`;

/** Creates a text of words. Texts created with different seeds have no words in common. */
const wordsOf = (seed: number, bytes: number): string =>
  joined(Math.floor(bytes / 9), (index) => `${seed}x${index.toString(36).padStart(6, '0')}`, ' ').slice(
    0,
    bytes,
  );

/** Creates a reproduction that sends a single request. */
const one = (
  name: string,
  method: string,
  address: (scene: Scene) => string,
  body: (scene: Scene) => Buffer,
  type?: string,
): Reproduction => ({
  name,
  prepare: (scene) => {
    const made = body(scene);
    return () => scene.ask(method, address(scene), made, type);
  },
});

const folderOf = ({ folder }: Scene): string => folder;

export const reproductions: readonly Reproduction[] = [
  one(
    'a saved search with 500,000 parameters',
    'POST',
    () => '/api/v1/search/saved',
    ({ scale }) =>
      raw(
        '{"entity-type":"savedSearch","title":"x","query":"SELECT * FROM Document","queryLanguage":"NXQL","params":{',
        joined(500_000 * scale, (index) => `"k${index}":"1"`),
        '}}',
      ),
  ),
  {
    name: 'four files with 1,500,000 attachments each',
    prepare: ({ ask, folder, scale }) => {
      const body = files(scale);
      return async () => worst(await Promise.all([1, 2, 3, 4].map(() => ask('POST', folder, body))));
    },
  },
  {
    name: 'a title of 9.9 MB, copied 40 times',
    prepare: ({ ask, folder, path, scale }) => {
      const titled = document('File', { 'dc:title': 'a'.repeat(9_900_000 * scale) });
      return async () => {
        const made = await ask('POST', folder, titled);
        const copies = { input: Array(20).fill(idOf(made, folder)), params: { target: path } };
        if (made.status !== 201) return made;
        return worst([
          await ask('POST', call('Document.Copy'), copies),
          await ask('POST', call('Document.Copy'), copies),
        ]);
      };
    },
  },
  {
    name: 'twelve notes, each with 9 MB of different words',
    prepare: ({ ask, folder, scale }) => {
      const notes = Array.from({ length: 12 }, (_, seed) =>
        document('Note', { 'note:note': wordsOf(seed, 9_000_000 * scale) }),
      );
      return async () => {
        const answers: Answer[] = [];
        for (const note of notes) answers.push(await ask('POST', folder, note));
        return worst(answers);
      };
    },
  },
  one(
    '700,000 lines of properties, without permission',
    'POST',
    () => call('Document.Update'),
    ({ other, scale }) => raw(`{"input":"${other}","params":{"properties":"`, propertyLines(scale), '"}}'),
  ),
  one(
    '700,000 lines of properties on an own document',
    'POST',
    () => call('Document.Update'),
    ({ path, scale }) => raw(`{"input":"${path}","params":{"properties":"`, propertyLines(scale), '"}}'),
  ),
  one('a file with 1,500,000 attachments', 'POST', folderOf, ({ scale }) => files(scale)),
  one(
    '600,000 unknown parameters',
    'POST',
    () => call('Document.Update'),
    ({ path, scale }) =>
      raw(
        `{"input":"${path}","params":{"properties":{},`,
        joined(600_000 * scale, (index) => `"k${index}":1`),
        '}}',
      ),
  ),
  one('500,000 unknown properties of Dublin Core', 'PUT', folderOf, ({ scale }) =>
    raw(
      '{"entity-type":"document","properties":{',
      joined(500_000 * scale, (index) => `"dc:t${index}":1`),
      '}}',
    ),
  ),
  one(
    'a permission for 700,000 users',
    'POST',
    () => call('Document.AddPermission'),
    ({ path, scale }) =>
      raw(
        `{"input":"${path}","params":{"permission":"Read","users":[`,
        joined(700_000 * scale, (index) => `"u${index}"`),
        ']}}',
      ),
  ),
  one('1,000,000 subjects', 'PUT', folderOf, ({ scale }) =>
    raw(
      '{"entity-type":"document","properties":{"dc:subjects":[',
      joined(1_000_000 * scale, () => '"ab"'),
      ']}}',
    ),
  ),
  one(
    '1,000,000 tags',
    'POST',
    () => call('Services.TagDocument'),
    ({ path, scale }) =>
      raw(
        `{"input":"${path}","params":{"tags":[`,
        joined(1_000_000 * scale, (index) => `"t${index}"`),
        ']}}',
      ),
  ),
  one(
    '1,000,000 query parameters',
    'POST',
    () => call('Repository.Query'),
    ({ scale }) =>
      raw(
        '{"params":{"query":"SELECT * FROM Document WHERE dc:title = ?","queryParams":[',
        joined(1_000_000 * scale, () => '"ab"'),
        ']}}',
      ),
  ),
  one('4,900,000 nested lists', 'PUT', folderOf, ({ scale }) =>
    raw(
      '{"entity-type":"document","properties":',
      '['.repeat(4_900_000 * scale),
      ']'.repeat(4_900_000 * scale),
      '}',
    ),
  ),
  one(
    '600,000 unknown GraphQL variables',
    'POST',
    () => '/graphql',
    ({ scale }) =>
      raw(
        '{"query":"{ __typename }","variables":{',
        joined(600_000 * scale, (index) => `"k${index}":1`),
        '}}',
      ),
  ),
  one(
    'a token request with a code of 9.9 MB',
    'POST',
    () => '/oauth2/token',
    ({ scale }) => raw('grant_type=authorization_code&client_id=x&code=', 'a'.repeat(9_900_000 * scale)),
    formType,
  ),
  {
    name: 'token requests with 1,000,000 parameters, different or repeated',
    prepare: ({ ask, scale }) => {
      const forms = [
        joined(1_000_000 * scale, (index) => `k${index}=1`, '&'),
        joined(1_000_000 * scale, () => 'code=1', '&'),
      ].map((form) => raw('grant_type=refresh_token&', form));
      return async () =>
        worst(await Promise.all(forms.map((form) => ask('POST', '/oauth2/token', form, formType))));
    },
  },
  {
    name: 'nineteen copies of a 9.9 MB note',
    prepare: ({ ask, folder, path, scale }) => {
      const within = document('Folder', {}, 'twenty notes');
      const long = document('Note', { 'note:note': 'a'.repeat(9_900_000 * scale) });
      return async () => {
        const made = await ask('POST', folder, within);
        const note = await ask('POST', `/api/v1/id/${idOf(made, folder)}`, long);
        const copy = { input: idOf(note, folder), params: { target: `${path}/twenty notes` } };
        const answers: Answer[] = [];
        for (let nth = 1; nth < 20; nth += 1) answers.push(await ask('POST', call('Document.Copy'), copy));
        return worst(answers);
      };
    },
  },
  {
    name: 'eight concurrent listings of twenty notes of 9.9 MB',
    prepare:
      ({ ask, path }) =>
      async () => {
        const listing = `/api/v1/path${path}/twenty%20notes/@children?pageSize=100&properties=*`;
        return worst(await Promise.all(Array.from({ length: 8 }, () => ask('GET', listing))));
      },
  },
  ...hostileFiles,
];
