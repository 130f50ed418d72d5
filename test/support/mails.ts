import type { TestServer } from './server.ts';

export interface MailEntity {
  readonly status: string;
  readonly createdBy: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string | null;
  readonly [field: string]: unknown;
}

/** All emails, newest first. */
export async function mailsOf({ request }: Pick<TestServer, 'request'>, query = ''): Promise<MailEntity[]> {
  const { body } = await request.get(`/api/v1/mail${query}`).expect(200);
  return body.entries;
}
