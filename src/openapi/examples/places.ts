import type { Step } from './example.ts';

export const workspaces = 'default-domain/workspaces';
export const report = `${workspaces}/report`;

/** The smallest PNG: a pixel. */
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

/** What the examples are about, made before the first of them. */
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

/** The report by its path and by its id, and the folder that it is in. */
const addresses = [
  { by: 'Path', at: { path: report }, within: { path: workspaces } },
  { by: 'Id', at: { id: '{report}' }, within: { id: '{workspaces}' } },
] as const;

/** The examples of routes that are there by path and by id: `By` ends their names. */
export const atBoth = <Of>(make: (address: (typeof addresses)[number]) => Readonly<Record<string, Of>>) =>
  Object.fromEntries(
    addresses.flatMap((address) =>
      Object.entries(make(address)).map(([name, of]) => [`${name}By${address.by}`, of] as const),
    ),
  );
