import { ownHeaders } from '../graphql/client.ts';

/** Rows of a file; a longer export is a bulk action. */
const most = '1000';

/** Downloads what was found as CSV. @throws Error with what the server says. */
export async function downloadCsv(
  provider: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): Promise<void> {
  const asked = new URLSearchParams({ pageSize: most });
  for (const [name, value] of Object.entries(parameters))
    asked.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const headers = { ...ownHeaders(), Accept: 'text/csv', properties: 'dublincore' };
  const response = await fetch(`api/v1/search/pp/${provider}/execute?${asked}`, { headers });
  if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: 'search.csv' });
  link.click();
  URL.revokeObjectURL(address);
}
