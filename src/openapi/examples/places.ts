import type { Step } from './example.ts';

export const workspaces = 'default-domain/workspaces';
export const report = `${workspaces}/report`;

/** The smallest PNG file: one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const document = (type: string, name: string, properties: object = {}) => ({
  'entity-type': 'document',
  type,
  name,
  properties: { 'dc:title': name.charAt(0).toUpperCase() + name.slice(1), ...properties },
});

export const created = (type: string, name: string, more: Partial<Step> = {}): Step => ({
  route: 'createDocumentByPath',
  parameters: { path: workspaces },
  body: document(type, name),
  gives: { [name]: 'uid' },
  ...more,
});

/** Requests that create the documents used in the examples. They run first. */
export const madeFirst: readonly Step[] = [
  { route: 'getDocumentByPath', parameters: { path: workspaces }, gives: { workspaces: 'uid' } },
  created('File', 'report'),
  {
    route: 'setMainBlobByPath',
    parameters: { path: report },
    files: { 'report.txt': 'The text of the report.' },
  },
  created('Folder', 'archive'),
  created('Picture', 'picture'),
  {
    route: 'setMainBlobByPath',
    parameters: { path: `${workspaces}/picture` },
    files: { 'picture.png': pixel },
  },
  created('Section', 'news', { parameters: { path: 'default-domain/sections' } }),
  {
    route: 'createUser',
    body: {
      'entity-type': 'user',
      id: 'ina',
      properties: {
        username: 'ina',
        firstName: 'Ina',
        email: 'ina@example.org',
        password: 'a long password',
      },
    },
  },
];

/** The path parameters of the report and of its folder, by path and by id. */
const addresses = [
  { by: 'Path', at: { path: report }, within: { path: workspaces } },
  { by: 'Id', at: { id: '{report}' }, within: { id: '{workspaces}' } },
] as const;

/** Creates the examples of routes that exist both by path and by id. Their names end with `ByPath` or `ById`. */
export const atBoth = <Of>(make: (address: (typeof addresses)[number]) => Readonly<Record<string, Of>>) =>
  Object.fromEntries(
    addresses.flatMap((address) =>
      Object.entries(make(address)).map(([name, of]) => [`${name}By${address.by}`, of] as const),
    ),
  );
