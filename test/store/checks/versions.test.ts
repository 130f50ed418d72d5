import { expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { checkConsistency } from '../consistency.ts';
import { breakBy, faultsOf, runCheck } from './check-support.ts';

const server = useServer();
checkConsistency(server);

const run = calling(server);
const rows = () =>
  server.database.prisma.document.findMany({ omit: { systemToken: true }, orderBy: { id: 'asc' } });

async function versioned(): Promise<{ live: DocumentEntity; versions: string[] }> {
  const live = await createDocument(server);
  for (const version of ['minor', 'minor', 'major']) {
    await run('Document.CheckIn', live.uid, { version }).expect(200);
    if (version !== 'major') await run('Document.CheckOut', live.uid).expect(200);
  }
  const { body } = await run('Document.GetVersions', live.uid).expect(200);
  const versions = (body.entries as DocumentEntity[]).map(({ uid }) => uid);
  return { live, versions };
}

test('the check finds wrong latest versions and wrong places of versions, and repairs them', async () => {
  const { live, versions } = await versioned();
  const before = await rows();
  expect(await faultsOf(server, 'versions')).toEqual([]);
  const setAll = (values: string) =>
    breakBy(server, `UPDATE document SET ${values} WHERE live_id = '${live.uid}' AND is_version`);
  await setAll(
    `is_latest_version = NOT is_latest_version, is_latest_major_version = NOT is_latest_major_version`,
  );
  await breakBy(server, `UPDATE document SET ancestor_ids = '{}' WHERE id = '${versions[0]}'`);
  const { path } = live;
  const kinds = [...Array(3).fill('latest'), ...Array(3).fill('latest-major'), 'place'];
  expect(await faultsOf(server, 'versions')).toEqual(kinds.map((kind) => `${kind} ${path}`));
  expect(await faultsOf(server, 'versions', { isRepairing: true })).toEqual(
    kinds.map((kind) => `${kind} ${path} repaired`),
  );
  expect(await faultsOf(server, 'versions')).toEqual([]);
  expect(await rows()).toEqual(before);
  await runCheck(server, 'index', { isRepairing: true });
});

test('the check reports duplicate version numbers, documents checked in on no version, and lost versions and proxies', async () => {
  const { live, versions } = await versioned();
  const [version] = versions;
  const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
  const { body: proxy } = await run('Document.PublishToSection', live.uid, { target: section.uid }).expect(
    200,
  );
  const before = await rows();
  expect(await faultsOf(server, 'versions')).toEqual([]);
  const restoring = async (id: string, values: string, wanted: string[]) => {
    const { baseVersionId, liveId, targetId, majorVersion, minorVersion } =
      before.find((row) => row.id === id) ?? (before[0] as (typeof before)[number]);
    await breakBy(server, `UPDATE document SET ${values} WHERE id = '${id}'`);
    expect(await faultsOf(server, 'versions', { isRepairing: true })).toEqual(wanted);
    const quoted = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
    await breakBy(
      server,
      `UPDATE document SET base_version_id = ${quoted(baseVersionId)}, live_id = ${quoted(liveId)},
         target_id = ${quoted(targetId)}, major_version = ${majorVersion}, minor_version = ${minorVersion}
       WHERE id = '${id}'`,
    );
  };
  const { path } = live;
  const minor =
    before.find(({ liveId, minorVersion }) => liveId === live.uid && minorVersion === 2)?.id ?? '';
  await restoring(minor, 'minor_version = 1', [`number ${path}`, `number ${path}`]);
  await restoring(live.uid, 'base_version_id = NULL', [`base ${path}`]);
  await restoring(proxy.uid, `target_id = '${live.uid}'`, [`proxy ${proxy.path}`]);
  await restoring(minor, `live_id = gen_random_uuid()`, [`document ${path}`]);
  expect(await faultsOf(server, 'versions')).toEqual([]);
  expect(version).toBeDefined();
});
