import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { checkNames } from '../../src/doctor/doctor.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const textsOf = async (language: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(new URL(`../../web/src/texts/${language}.json`, import.meta.url), 'utf8'));

const placeholders = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('The console has the same texts in both languages, with the same values to fill in', async () => {
  const [english, french] = [await textsOf('en'), await textsOf('fr')];
  expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort());
  for (const [key, text] of Object.entries(french))
    expect([key, placeholders(text)]).toEqual([key, placeholders(english[key])]);
});

test('The console has a text for each type of event of the server, each probe and each check, and for no others', async () => {
  const events = await server.request.get('/api/v1/directory/eventTypes').query({ pageSize: 0 }).expect(200);
  const probes = await server.request.get('/api/v1/management/probes').expect(200);
  const wanted = [
    ...checkNames.map((name) => `doctor.${name}`),
    ...events.body.entries.map(({ id }: { id: string }) => `event.${id}`),
    ...probes.body.entries.map(({ name }: { name: string }) => `probe.${name}`),
  ];
  const texts = Object.keys(await textsOf('en')).filter((key) => /^(event|probe|doctor)\./.test(key));
  expect(texts.sort()).toEqual(wanted.sort());
});
