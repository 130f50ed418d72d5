import type { Answer } from './sender.ts';

/** Sends a body as the member: JSON, unless another type is named. */
export type Ask = (method: string, address: string, body?: Buffer | object, type?: string) => Promise<Answer>;

/** The member's documents that the reproductions are about. */
export interface Scene {
  readonly ask: Ask;
  /** The address of the member's folder, such as `/api/v1/id/…`. */
  readonly folder: string;
  /** Its path. */
  readonly path: string;
  /** The path of a document that the member can only read. */
  readonly other: string;
  /** How large they are, as a part of BODY_LIMIT by default. */
  readonly scale: number;
}

/** Requests that once stopped the search index, the event loop or the process, one after the other. */
export interface Reproduction {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<Answer>;
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

const document = (type: string, properties: object) => ({
  'entity-type': 'document',
  type,
  name: 'n',
  properties,
});

/** The id of a document that was created; its folder when it was refused. */
const idOf = ({ status, text }: Answer, folder: string): string =>
  (status === 201 && /"uid":"([^"]+)"/.exec(text)?.[1]) || (folder.split('/').at(-1) ?? '');

const worst = (answers: readonly Answer[]): Answer =>
  answers.reduce((one, other) => (other.status >= 500 || other.status === 0 || one.status < 1 ? other : one));

const formType = 'application/x-www-form-urlencoded';

const call = (operation: string) => `/api/v1/automation/${operation}`;

/** A text of different words, none of which another one has. */
const wordsOf = (seed: number, bytes: number): string =>
  joined(Math.floor(bytes / 9), (index) => `${seed}x${index.toString(36).padStart(6, '0')}`, ' ').slice(
    0,
    bytes,
  );

export const reproductions: readonly Reproduction[] = [
  {
    name: 'a saved search with 500,000 parameters',
    run: ({ ask, scale }) =>
      ask(
        'POST',
        '/api/v1/search/saved',
        raw(
          '{"entity-type":"savedSearch","title":"x","query":"SELECT * FROM Document","queryLanguage":"NXQL","params":{',
          joined(500_000 * scale, (index) => `"k${index}":"1"`),
          '}}',
        ),
      ),
  },
  {
    name: 'four files with 1,500,000 attachments each',
    run: async ({ ask, folder, scale }) => {
      const body = files(scale);
      return worst(await Promise.all([1, 2, 3, 4].map(() => ask('POST', folder, body))));
    },
  },
  {
    name: 'a title of 9.9 MB, 40 times copied',
    run: async ({ ask, folder, path, scale }) => {
      const made = await ask('POST', folder, document('File', { 'dc:title': 'a'.repeat(9_900_000 * scale) }));
      const copies = { input: Array(20).fill(idOf(made, folder)), params: { target: path } };
      if (made.status !== 201) return made;
      return worst([
        await ask('POST', call('Document.Copy'), copies),
        await ask('POST', call('Document.Copy'), copies),
      ]);
    },
  },
  {
    name: 'twelve notes of 9 MB of different words',
    run: async ({ ask, folder, scale }) => {
      const answers: Answer[] = [];
      for (let seed = 0; seed < 12; seed += 1)
        answers.push(
          await ask('POST', folder, document('Note', { 'note:note': wordsOf(seed, 9_000_000 * scale) })),
        );
      return worst(answers);
    },
  },
  {
    name: '700,000 lines of properties, without rights',
    run: ({ ask, other, scale }) =>
      ask(
        'POST',
        call('Document.Update'),
        raw(`{"input":"${other}","params":{"properties":"`, propertyLines(scale), '"}}'),
      ),
  },
  {
    name: '700,000 lines of properties, own document',
    run: ({ ask, path, scale }) =>
      ask(
        'POST',
        call('Document.Update'),
        raw(`{"input":"${path}","params":{"properties":"`, propertyLines(scale), '"}}'),
      ),
  },
  {
    name: 'a file with 1,500,000 attachments',
    run: ({ ask, folder, scale }) => ask('POST', folder, files(scale)),
  },
  {
    name: '600,000 unknown parameters',
    run: ({ ask, path, scale }) =>
      ask(
        'POST',
        call('Document.Update'),
        raw(
          `{"input":"${path}","params":{"properties":{},`,
          joined(600_000 * scale, (index) => `"k${index}":1`),
          '}}',
        ),
      ),
  },
  {
    name: '500,000 unknown properties of Dublin Core',
    run: ({ ask, folder, scale }) =>
      ask(
        'PUT',
        folder,
        raw(
          '{"entity-type":"document","properties":{',
          joined(500_000 * scale, (index) => `"dc:t${index}":1`),
          '}}',
        ),
      ),
  },
  {
    name: '700,000 users who get a permission',
    run: ({ ask, path, scale }) =>
      ask(
        'POST',
        call('Document.AddPermission'),
        raw(
          `{"input":"${path}","params":{"permission":"Read","users":[`,
          joined(700_000 * scale, (index) => `"u${index}"`),
          ']}}',
        ),
      ),
  },
  {
    name: '1,000,000 subjects',
    run: ({ ask, folder, scale }) =>
      ask(
        'PUT',
        folder,
        raw(
          '{"entity-type":"document","properties":{"dc:subjects":[',
          joined(1_000_000 * scale, () => '"ab"'),
          ']}}',
        ),
      ),
  },
  {
    name: '1,000,000 tags',
    run: ({ ask, path, scale }) =>
      ask(
        'POST',
        call('Services.TagDocument'),
        raw(
          `{"input":"${path}","params":{"tags":[`,
          joined(1_000_000 * scale, (index) => `"t${index}"`),
          ']}}',
        ),
      ),
  },
  {
    name: '1,000,000 query parameters',
    run: ({ ask, scale }) =>
      ask(
        'POST',
        call('Repository.Query'),
        raw(
          '{"params":{"query":"SELECT * FROM Document WHERE dc:title = ?","queryParams":[',
          joined(1_000_000 * scale, () => '"ab"'),
          ']}}',
        ),
      ),
  },
  {
    name: 'lists nested 4,900,000 deep',
    run: ({ ask, folder, scale }) =>
      ask(
        'PUT',
        folder,
        raw(
          '{"entity-type":"document","properties":',
          '['.repeat(4_900_000 * scale),
          ']'.repeat(4_900_000 * scale),
          '}',
        ),
      ),
  },
  {
    name: '600,000 unknown variables of GraphQL',
    run: ({ ask, scale }) =>
      ask(
        'POST',
        '/graphql',
        raw(
          '{"query":"{ __typename }","variables":{',
          joined(600_000 * scale, (index) => `"k${index}":1`),
          '}}',
        ),
      ),
  },
  {
    name: 'a token request with a code of 9.9 MB',
    run: ({ ask, scale }) =>
      ask(
        'POST',
        '/oauth2/token',
        raw('grant_type=authorization_code&client_id=x&code=', 'a'.repeat(9_900_000 * scale)),
        formType,
      ),
  },
  {
    name: 'token requests with 1,000,000 parameters, and one of them as many times',
    run: async ({ ask, scale }) => {
      const forms = [
        joined(1_000_000 * scale, (index) => `k${index}=1`, '&'),
        joined(1_000_000 * scale, () => 'code=1', '&'),
      ];
      return worst(
        await Promise.all(
          forms.map((form) => ask('POST', '/oauth2/token', raw('grant_type=refresh_token&', form), formType)),
        ),
      );
    },
  },
  {
    name: 'nineteen copies of a note of 9.9 MB',
    run: async ({ ask, folder, path, scale }) => {
      const made = await ask('POST', folder, { ...document('Folder', {}), name: 'twenty notes' });
      const within = `/api/v1/id/${idOf(made, folder)}`;
      const text = 'a'.repeat(9_900_000 * scale);
      const note = await ask('POST', within, document('Note', { 'note:note': text }));
      const copy = { input: idOf(note, folder), params: { target: `${path}/twenty notes` } };
      const answers: Answer[] = [];
      for (let nth = 1; nth < 20; nth += 1) answers.push(await ask('POST', call('Document.Copy'), copy));
      return worst(answers);
    },
  },
  {
    name: 'eight listings at once of twenty notes of 9.9 MB',
    run: async ({ ask, path }) => {
      const listing = `/api/v1/path${path}/twenty%20notes/@children?pageSize=100&properties=*`;
      return worst(await Promise.all(Array.from({ length: 8 }, () => ask('GET', listing))));
    },
  },
];
