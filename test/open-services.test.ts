import { expect, test } from '@jest/globals';
import { startServer } from './support/server.ts';

const warnings = async (settings: Record<string, string>): Promise<unknown[]> => {
  await using server = await startServer(settings);
  return server.logged
    .map(({ msg }) => msg)
    .filter((text) => typeof text === 'string' && text.startsWith('SMTP_URL'));
};

test('a start warns of SMTP_URL without PUBLIC_URL, and of neither alone', async () => {
  const [mails, address] = [{ SMTP_URL: 'smtp://127.0.0.1:1' }, { PUBLIC_URL: 'http://localhost:8080' }];
  expect(await warnings(mails)).toEqual([
    expect.stringMatching(/^SMTP_URL is set without PUBLIC_URL\. Links .* Set PUBLIC_URL/),
  ]);
  expect(await warnings({ ...mails, ...address })).toEqual([]);
  expect(await warnings(address)).toEqual([]);
});
