/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('The diagram of a workflow in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let uid = '';
  let task = '';

  beforeAll(async () => {
    for (const name of ['ann', 'bob']) await createUser(server, name, ['members']);
    const file = await createDocument(server, { type: 'File', properties: { 'dc:title': 'An offer' } });
    uid = file.uid;
    await setAcl(server, file.path, [{ username: 'ann', permission: 'Everything' }]);
    const { body: workflow } = await as(server, 'ann')
      .post(`/api/v1/id/${uid}/@workflow`)
      .send({ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' })
      .expect(201);
    const open = async () =>
      (await server.request.get(`/api/v1/task?workflowInstanceId=${workflow.id}`).expect(200)).body.entries[0]
        .id;
    await as(server, 'ann')
      .put(`/api/v1/task/${await open()}/start_review`)
      .send({
        'entity-type': 'task',
        variables: { participants: ['user:bob'], validationOrReview: 'validation' },
      })
      .expect(200);
    task = await open();
  });

  test('shows where the workflow stands on the page of its document, in words too, and in dark colors on a phone', async () => {
    const { page, signIn, open, expectGood } = await visit({
      viewport: { width: 400, height: 800 },
      colorScheme: 'dark',
    });
    await signIn('ann', password);
    await open(`/document/${uid}/workflows`);
    const picture = page.locator('.workflow-graph .scrolled > svg');
    await picture.waitFor();
    expect(await picture.locator('.step.current .step-text').allInnerTexts()).toEqual([
      expect.stringMatching(/^Review the document\s+bob$/),
    ]);
    expect(await picture.locator('.step.passed .step-title').allInnerTexts()).toEqual([
      'Choose participants',
    ]);
    expect(await picture.locator('.step').count()).toBe(7);
    expect(await picture.locator('.step.current title').textContent()).toBe(
      'Review the document. Current step. Assigned to bob',
    );
    expect(await picture.locator('text').allTextContents()).toEqual(
      expect.arrayContaining(['Start review', 'Cancel review', 'Approve', 'Reject', 'Submit again']),
    );
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    expect(await steps.nth(1).textContent()).toBe(
      'Review the document. Current step. Assigned to bob. Approve: Next reviewer. Reject: Previous reviewer.',
    );
    expect(await steps.nth(1).getAttribute('aria-current')).toBe('step');
    // A picture that is wider than the screen is scrolled within itself.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
    await expectGood('the diagram');
    await page.getByRole('button', { name: 'Hide diagram' }).click();
    await picture.waitFor({ state: 'detached' });
  });

  test('no label or step covers another', async () => {
    const { page, signIn, open } = await visit({ viewport: { width: 1440, height: 900 } });
    await signIn();
    await open('/admin/model');
    for (const name of ['Sequential review', 'Parallel review']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('region', { name: `Diagram of ${name}` }).waitFor();
    }
    const overlaps = await page.locator('.workflow-graph .scrolled > svg').evaluateAll((pictures) =>
      pictures.flatMap((picture) => {
        const parts = [...picture.querySelectorAll('.step rect, text')].map((part) => ({
          name: part.textContent,
          ...part.getBoundingClientRect().toJSON(),
        }));
        return parts.flatMap((one, index) =>
          parts
            .slice(index + 1)
            .filter(
              (other) =>
                one.left < other.right &&
                other.left < one.right &&
                one.top < other.bottom &&
                other.top < one.bottom,
            )
            .map((other) => [one, other]),
        );
      }),
    );
    expect(overlaps).toEqual([]);
  });

  test('shows the workflow of a task to its actor', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('bob', password);
    await open(`/tasks?task=${task}`);
    await page.getByRole('button', { name: 'Show diagram' }).click();
    const picture = page.locator('.workflow-graph .scrolled > svg');
    await picture.locator('.step.current').waitFor();
    expect(await picture.locator('.step.current .step-actors').textContent()).toBe('bob');
    // The first task was not bob's, so its actor is not shown to him.
    expect(await picture.locator('.step.passed title').textContent()).toBe('Choose participants. Completed');
    await expectGood('the diagram of a task');
  });
});
