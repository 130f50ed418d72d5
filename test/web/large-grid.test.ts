/** @group slow, long */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const count = 5_000;

(chromiumPath ? describe : describe.skip)('A grid of 5,000 pictures in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  beforeAll(async () => {
    folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'Album' } });
    const first = await createDocument(server, { parent: folder.path, type: 'Picture', name: 'p' });
    const { id: _, ...row } = await server.database.prisma.document.findFirstOrThrow({
      where: { id: first.uid },
    });
    const rows = Array.from({ length: count - 1 }, (_unused, index) => {
      const title = `picture ${String(index + 1).padStart(4, '0')}`;
      return {
        ...row,
        id: crypto.randomUUID(),
        name: title,
        title,
        path: `${folder.path}/${title}`,
        properties: { 'dc:title': title },
      };
    });
    await server.database.prisma.document.createMany({ data: rows as never });
  });

  test('has a picture or an icon and a title at every place while it is scrolled from top to bottom', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    await signIn();
    await open(`/browse${folder.path}`);
    await page.getByRole('radio', { name: 'Grid' }).click();
    const grid = page.locator('.document-grid');
    await until(async () => (await grid.locator('.tile').count()) > 0);
    await expectGood('the top of the grid');
    /** Whether rows of tiles, each with a title, cover the visible part of the grid. */
    const isCovered = () =>
      grid.evaluate((element, space) => {
        const area = element.getBoundingClientRect();
        const rows = new Map<number, { bottom: number; count: number }>();
        for (const tile of element.querySelectorAll('.tile')) {
          const { top, bottom } = tile.getBoundingClientRect();
          if (bottom <= area.top || top >= area.bottom) continue;
          if (!tile.querySelector('.title-link')?.textContent) return false;
          const count = (rows.get(Math.round(top))?.count ?? 0) + 1;
          rows.set(Math.round(top), { bottom, count });
        }
        const tops = [...rows.keys()].sort((one, other) => one - other);
        const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
        const widest = Math.max(...[...rows.values()].map(({ count }) => count));
        let covered = area.top + space;
        for (const [index, top] of tops.entries()) {
          const { bottom, count } = rows.get(top) ?? { bottom: 0, count: 0 };
          const isLast = isAtEnd && index === tops.length - 1;
          if (top > covered + space || (count < widest && !isLast)) return false;
          covered = bottom;
        }
        return tops.length > 0 && (isAtEnd || covered >= area.bottom - space);
      }, 16);
    const isAtLast = async () => (await grid.getByText(`picture ${count - 1}`).count()) > 0;
    let steps = 0;
    for (; steps < count && !(await isAtLast()); steps += 1) {
      await grid.evaluate((element) => element.scrollBy(0, element.clientHeight * 8));
      await until(isCovered);
    }
    expect(steps).toBeGreaterThan(20);
    await expectGood('the bottom of the grid');
  });
});
