import { describe, expect, test } from '@jest/globals';
import { useServer } from '../../../support/server.ts';

const server = useServer();

const closed = [
  {
    names: ['depth', 'X-NXdepth'],
    valid: ['root', 'CHILDREN', 'Max'],
    wrong: 'deep',
    says: 'root, children, max',
  },
  {
    names: ['X-Versioning-Option'],
    valid: ['NONE', 'minor', 'Major'],
    wrong: 'PATCH',
    says: 'NONE, MINOR, MAJOR',
  },
  {
    names: ['svc_es_sync', 'svc-es-sync', 'nx_es_sync', 'nx-es-sync'],
    valid: ['true', 'FALSE'],
    wrong: 'yes',
    says: 'true, false',
  },
  { names: ['skipAggregates'], valid: ['True', 'false'], wrong: '1', says: 'true, false' },
  {
    names: ['X-SvcVoidOperation', 'X-NXVoidOperation'],
    valid: ['true', 'False'],
    wrong: 'on',
    says: 'true, false',
  },
  {
    names: ['Svc-Transaction-Timeout', 'Nuxeo-Transaction-Timeout'],
    valid: ['1', '300', '99999999999999999999'],
    wrong: '0',
    says: 'positive integer number of seconds',
  },
];

const same = (text: string): string => text.toLowerCase().replaceAll('_', '-');

describe.each(closed.flatMap(({ names, ...others }) => names.map((name) => ({ name, ...others }))))(
  '§9 $name',
  ({ name, valid, wrong, says }) => {
    test('accepts its values as header and query parameter', async () => {
      for (const value of valid) {
        await server.request.get('/api/v1/path/').set(name, value).expect(200);
        await server.request
          .get('/api/v1/path/')
          .query({ [name]: value })
          .expect(200);
      }
    });

    test('answers 400 with its name and valid values to another value', async () => {
      for (const call of [
        server.request.get('/api/v1/path/').set(name, wrong),
        server.request.get('/api/v1/path/').query({ [name]: wrong }),
        server.request.get('/api/v1/config/types/nosuch').set(name, wrong),
      ]) {
        const { body } = await call.expect(400);
        expect(body).toMatchObject({ 'entity-type': 'exception', status: 400 });
        expect(same(body.message)).toContain(same(name));
        expect(body.message).toContain(`"${wrong}"`);
        expect(body.message).toContain(says);
      }
    });

    test('prevents a write when its value is invalid', async () => {
      const body = { 'entity-type': 'document', type: 'Folder', name: 'never' };
      await server.request.post('/api/v1/path/').set(name, wrong).send(body).expect(400);
      await server.request.get('/api/v1/path/never').expect(404);
    });
  },
);
