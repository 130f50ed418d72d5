import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** An SMTP server that stores the emails it receives. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  /** The emails received so far, oldest first. */
  readonly received: ReceivedMail[];
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const receive = async () => {
        const { subject = '', text = '' } = await PostalMime.parse(await buffer(stream));
        received.push({ to: envelope.rcptTo.map(({ address }) => address), subject, text });
      };
      receive().then(() => done(), done);
    },
  });
  server.on('error', () => {}); // Clients can close the connection early.
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
