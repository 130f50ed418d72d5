import { randomInt } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { createGuestSessions, type GuestSessions } from '../auth/guest.ts';
import { Invalid, MethodNotAllowed, NotFound, namedFault, Unauthenticated } from '../errors.ts';
import { isMailAddress } from '../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../model/mail/templates.ts';
import { shownName } from '../security/acl.ts';
import type { Services } from '../services.ts';
import { guest as guestNamed } from '../store/acls/aces.ts';
import { verifyPassword } from '../store/authorities/passwords.ts';
import { queueOwnMail } from '../store/mail/queue-mail.ts';
import { countOpened, isShared, linkByToken, redeemCode, storeCode } from '../store/shares/open-share.ts';
import { requestLanguage } from './caller.ts';
import { authRequestOf, clientAddress, isSecure } from './identify.ts';
import { requestStateOf } from './request-state.ts';
import { sameOrigin } from './same-origin.ts';
import { requireUtf8 } from './unreadable.ts';

/**
 * The number of digits of a code. Someone who tries the five guesses of each code from many addresses, and requests a
 * new code every minute, succeeds within a day with a probability of less than 0.01 %.
 */
const codeDigits = 8;

const shapes = {
  open: z.object({ token: z.string().min(1).max(100), password: z.string().max(1000).nullish() }),
  code: z.object({ email: z.string().min(1).max(320) }),
  session: z.object({ email: z.string().min(1).max(320), code: z.string().min(1).max(20) }),
};

/** @throws Invalid */
function bodyOf<Shape extends z.ZodType>(shape: Shape, { body }: Request): z.infer<Shape> {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Invalid(`${namedFault(issue?.path.join('.') || 'The body', issue?.message ?? 'is not valid')}.`);
}

/**
 * Returns the name under which a guest with the given email address is stored.
 * @throws Invalid
 */
function guestOf(email: string): string {
  const address = email.trim();
  if (!isMailAddress(address)) throw new Invalid(`email: "${address.slice(0, 80)}" is not an email address.`);
  return guestNamed(address);
}

export interface Shares {
  readonly router: Router;
  /** Identifies the guest who sent a request. Guest routes use it instead of user authentication. */
  readonly identifyGuest: RequestHandler;
}

/**
 * Creates the routes for shared documents. Guests open links and sign in with JSON requests that the page at `/share/`
 * sends. The REST API for guests is at `/share/api/v1`.
 */
export function createShares(services: Services): Shares {
  const { attempts, config, database, journal, secrets } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const sessions: GuestSessions = createGuestSessions(services);
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });
  const codeHash = (guest: string, code: string): string =>
    secrets.derive('guest code', guest, code).toString('hex');

  /**
   * Opens a link. Wrong tokens and passwords are counted as failed log-ins, so that they cannot be guessed.
   */
  const open: RequestHandler = async (request, response) => {
    const { token, password } = bodyOf(shapes.open, request);
    const [db, address] = [dbOf(response), clientAddress(request)];
    const link = await attempts.runCounted(address, undefined, () => linkByToken(db, token));
    if (!link) throw new NotFound('This link does not exist or has expired.');
    const { passwordHash } = link;
    if (passwordHash !== null) {
      if (!password) throw new Unauthenticated('This link requires a password.');
      const isRight = await attempts.runCounted(address, `link ${link.id}`, async () =>
        (await verifyPassword(passwordHash, password)) ? true : undefined,
      );
      if (!isRight) throw new Unauthenticated('The password is wrong.');
    }
    await countOpened(db, link.id);
    sessions.beginByLink(response, link, reachOf(request));
    response.status(204).end();
  };

  /**
   * Emails a code to a guest. The response does not reveal whether any document is shared with the address.
   */
  const sendCode: RequestHandler = async (request, response) => {
    const guest = guestOf(bodyOf(shapes.code, request).email);
    const address = clientAddress(request);
    attempts.requireNotBlocked(address, guest);
    attempts.recordFailure(address, undefined); // Every request counts, so that no one can flood others with emails.
    const language = requestLanguage(request);
    await dbOf(response).transaction(config.TRANSACTION_TIMEOUT, async (db) => {
      if (!(await isShared(db, guest))) return;
      const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
      if (!(await storeCode(db, guest, codeHash(guest, code)))) return;
      const to = shownName(guest);
      await queueOwnMail(
        { db, services },
        { to: [to], ...fillMailTemplate('guestCode', language, { code }) },
      );
    });
    response.status(204).end();
  };

  const signIn: RequestHandler = async (request, response) => {
    const { email, code } = bodyOf(shapes.session, request);
    const guest = guestOf(email);
    const address = clientAddress(request);
    const isRight = await attempts.runCounted(address, guest, async () =>
      (await redeemCode(dbOf(response), guest, codeHash(guest, code.trim()))) ? true : undefined,
    );
    if (!isRight) throw new Unauthenticated('The code is wrong or has expired. Request another one.');
    journal.loggedIn({ username: guest, method: 'guest', address });
    sessions.beginByMail(response, guest, reachOf(request));
    response.status(204).end();
  };

  // With a challenge, browsers would open their password dialog instead of letting the page show its own form.
  const refuseBasic = (response: Response): void => {
    requestStateOf(response).refusesBasic = true;
  };

  const identifyGuest: RequestHandler = async (request, response, next) => {
    refuseBasic(response);
    requestStateOf(response).user = await sessions.authenticate(
      authRequestOf(request, response, contextPath),
    );
    next();
  };

  const router = Router();
  const readJson = express.json({ limit: '16kb', verify: requireUtf8 });
  const isOwn = sameOrigin({ publicUrl, allowed: [] });
  const uncached: RequestHandler = (_request, response, next) => {
    refuseBasic(response);
    response.set('Cache-Control', 'no-store');
    next();
  };
  const calls: ReadonlyArray<readonly [path: string, handler: RequestHandler]> = [
    ['/open', open],
    ['/code', sendCode],
    ['/session', signIn],
    [
      '/end',
      (request, response) => {
        sessions.end(response, reachOf(request));
        response.status(204).end();
      },
    ],
  ];
  for (const [path, handler] of calls) {
    router.route(path).post(isOwn, uncached, readJson, handler);
    router.all(path, ({ method }) => {
      throw new MethodNotAllowed(method, ['POST']);
    });
  }
  return { router, identifyGuest };
}
