import { administrator } from '../support/administrator.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type BrowserPage, type Component, openPage } from './browser-page.ts';

interface Components extends AsyncDisposable {
  readonly page: BrowserPage;
  readonly connection: Readonly<Record<'connectionId' | 'url' | 'username' | 'password', string>>;
  readonly connected: Component;
  readonly server: TestServer;
}

/** A server, and a page with the published components, which are connected to it. */
export const useComponents = (): Components =>
  use(async () => {
    const server = await startServer({ CONTEXT_PATH: '/nuxeo' });
    const origin = `http://127.0.0.1:${await server.listen()}`;
    const page = await openPage(`${origin}/nuxeo/ui/`);
    const connection = { connectionId: 'nx', url: `${origin}/nuxeo`, ...administrator };
    const connected = page.add('connection', connection);
    await until(() => connected.connected === true);
    return {
      page,
      connection,
      connected,
      server,
      [Symbol.asyncDispose]: async () => {
        page.close();
        await server.stop();
      },
    };
  });
