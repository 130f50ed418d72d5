import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';

const server = useServer();

const entriesOf = async (directory: string): Promise<{ id: string; label: string }[]> => {
  const { body } = await server.request
    .get(`/api/v1/directory/${directory}?pageSize=200`)
    .set('translate.directoryEntry', 'label')
    .expect(200);
  return body.entries.map(({ properties }: { properties: { id: string; label: string } }) => properties);
};

const src = new URL('../../../src/', import.meta.url).pathname;
const sources = (): string =>
  ['store', 'automation']
    .flatMap((layer) =>
      readdirSync(join(src, layer), { recursive: true }).map((name) => join(src, layer, String(name))),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join();

test('§4.5 eventTypes has every event that the server logs', async () => {
  const ids = (await entriesOf('eventTypes')).map(({ id }) => id);
  const logged = [...sources().matchAll(/eventId: '(\w+)'/g)].map(([, id]) => id);
  expect(logged.length).toBeGreaterThan(20);
  expect(ids).toEqual(
    expect.arrayContaining([...logged, 'user_created', 'group_deleted', 'loginFailed', 'workflowCanceled']),
  );
});

test('§4.5 eventCategories has the categories of the log', async () => {
  const entries = await entriesOf('eventCategories');
  expect(entries.map(({ id }) => id)).toEqual([
    'Automation',
    'NuxeoAuthentication',
    'Routing',
    'eventDocumentCategory',
    'eventLifeCycleCategory',
    'userGroup',
  ]);
});

test.each(['eventTypes', 'eventCategories'])('every entry of %s has a label', async (directory) => {
  for (const { id, label } of await entriesOf(directory))
    expect([id, label]).not.toEqual([id, expect.stringMatching(/^label\./)]);
});
