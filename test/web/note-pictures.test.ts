/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

/** A red picture of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

interface Pasted {
  readonly name: string;
  readonly type: string;
  readonly size?: number;
}

(chromiumPath ? describe : describe.skip)('Pictures in notes', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Desk' } });
    // Writing is enough: pictures need no permission to create documents.
    await setAcl(server, folder.path, [
      { username: 'ann', permission: 'Read' },
      { username: 'ann', permission: 'WriteProperties' },
    ]);
  });

  const note = (title: string) =>
    createDocument(server, {
      parent: folder.path,
      type: 'Note',
      properties: { 'dc:title': title, 'note:mime_type': 'text/markdown', 'note:note': 'Before. ' },
    });

  /** Pastes or drops files into the editor, as a browser does it. */
  const give = (
    editor: ReturnType<Awaited<ReturnType<typeof visit>>['page']['getByRole']>,
    event: 'paste' | 'drop',
    files: readonly Pasted[],
    words = '',
  ) =>
    editor.evaluate(
      (element, given) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(given.png), (letter) => letter.charCodeAt(0));
        for (const { name, type, size } of given.files)
          data.items.add(new File([size === undefined ? bytes : new Uint8Array(size)], name, { type }));
        if (given.words) data.setData('text/plain', given.words);
        const common = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          given.event === 'paste'
            ? new ClipboardEvent('paste', { ...common, clipboardData: data })
            : new DragEvent('drop', { ...common, dataTransfer: data }),
        );
      },
      { event, files, words, png },
    );

  test('are attached to the note, linked by their names, and shown when the note is read', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { uid } = await note('Journal');
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const editor = page.getByRole('textbox', { name: 'Text' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await give(editor, 'paste', [{ name: 'image.png', type: 'image/png' }]);
    await until(async () => ((await editor.textContent()) ?? '').includes('![image](image.png)'));
    await give(editor, 'paste', [{ name: 'image.png', type: 'image/png' }]);
    await until(async () => ((await editor.textContent()) ?? '').includes('![image-2](image-2.png)'));
    // The pictures are part of the draft until the note is saved.
    await page.getByText('Draft saved in this browser').waitFor();
    await open(`/document/${uid}/edit`);
    expect(await editor.textContent()).toContain('![image](image.png)![image-2](image-2.png)');
    await expectGood('the editor');
    await page.getByRole('button', { name: 'Save' }).click();
    const pictures = page.frameLocator('iframe').frameLocator('iframe').locator('img');
    await pictures.first().waitFor();
    expect(
      await pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth)),
    ).toEqual([1, 1]);
    await expectGood('the note');
    const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200);
    expect(body.properties['files:files'].map(({ file }: { file: { name: string } }) => file.name)).toEqual([
      'image.png',
      'image-2.png',
    ]);
  });

  test('are inserted where they are dropped; other files and large pictures are refused with a reason', async () => {
    const { page, signIn, open } = await visit();
    const { uid } = await note('Drops');
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const editor = page.getByRole('textbox', { name: 'Text' });
    await give(editor, 'drop', [{ name: 'a (1).png', type: 'image/png' }]);
    await until(async () => ((await editor.textContent()) ?? '').includes('![a (1)](a%20%281%29.png)'));
    await give(editor, 'drop', [{ name: 'plan.pdf', type: 'application/pdf' }]);
    await page.getByText('plan.pdf is not a picture that can be shown here.').waitFor();
    await give(editor, 'paste', [{ name: 'large.png', type: 'image/png', size: 4_000_001 }]);
    await page.getByText('large.png is larger than 4 MB.').waitFor();
    // A spreadsheet copies its cells as text and as a picture.
    await give(editor, 'paste', [{ name: 'cells.png', type: 'image/png' }], 'one two');
    await until(async () => ((await editor.textContent()) ?? '').includes('one two'));
    expect(await editor.textContent()).not.toContain('cells');
  });
});
