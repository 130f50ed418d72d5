import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { translateDatabaseError } from '../db/errors.ts';
import { TooManyRequests, Unavailable } from '../errors.ts';
import { createLogPoller, type LogMoment } from '../loaders/audit/log-poller.ts';
import type { LogSpan } from '../loaders/audit/new-log-entries.ts';
import type { Principal } from '../security/principal.ts';
import type { Caller } from '../selection/run.ts';
import type { Services } from '../services.ts';
import { runInContext } from './run.ts';

/** The maximum number of subscriptions in a process, in total and for each user. */
const maxSubscriptions = { all: 100, ofUser: 10 } as const;

/** The number of seconds after which a rejected client can try again. */
const retryAfter = 30;

/** Counts the subscribers of this process. */
function createSubscriberPlaces() {
  const taken = new Map<string, number>();
  let all = 0;
  const add = (user: string, change: 1 | -1): void => {
    all += change;
    const count = (taken.get(user) ?? 0) + change;
    if (count > 0) taken.set(user, count);
    else taken.delete(user);
  };
  /**
   * Reserves a place for a subscription.
   * @returns a function that releases the place; further calls have no effect
   * @throws TooManyRequests, Unavailable
   */
  return (user: string): (() => void) => {
    const { all: maxOfAll, ofUser: maxOfUser } = maxSubscriptions;
    if ((taken.get(user) ?? 0) >= maxOfUser)
      throw new TooManyRequests(
        `${user} already has ${maxOfUser} subscriptions. Close one of them first.`,
        retryAfter,
      );
    if (all >= maxOfAll)
      throw new Unavailable(`The server already has ${maxOfAll} subscriptions. Try again later.`);
    add(user, 1);
    let isTaken = true;
    return () => {
      if (isTaken) add(user, -1);
      isTaken = false;
    };
  };
}

export interface Subscriber {
  readonly caller: Caller;
  /**
   * Authenticates the subscription's request again.
   * @throws AppError if its credentials are no longer valid
   */
  readonly identifyAgain: () => Promise<Principal>;
}

type Answers = AsyncIterableIterator<ExecutionResult>;

const asResult = (error: unknown): ExecutionResult => {
  const cause = translateDatabaseError(error);
  const originalError = cause instanceof Error ? cause : new Error(String(cause));
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
};

const hasEvents = ({ data, errors }: ExecutionResult): boolean =>
  errors !== undefined ||
  Object.values(data ?? {}).some((events) => Array.isArray(events) && events.length > 0);

const spans = () => {
  const watched: LogSpan['watched'] = new Map();
  return (from: LogMoment, until: LogMoment): LogSpan => ({
    from,
    until,
    after: undefined,
    hasMore: false,
    watched,
  });
};

/**
 * Creates subscriptions to committed changes. Each subscription reads the audit log from its own position, with the
 * current permissions of its user, and only after the client has received the previous events. Therefore nothing is
 * buffered for slow clients.
 * @param isReady whether the server is ready; all subscriptions end when it is no longer ready
 */
export function createSubscriptions(services: Services, isReady: () => boolean) {
  const poller = createLogPoller(services.database);
  const takePlace = createSubscriberPlaces();

  /** Reads the next part of the log on the primary, in a separate context. */
  const answerOf = async (
    { caller, identifyAgain }: Subscriber,
    args: ExecutionArgs,
    span: LogSpan,
    signal: AbortSignal,
  ) => {
    const fresh = { ...caller, user: await identifyAgain(), signal, response: undefined };
    span.hasMore = false;
    return runInContext(services, fresh, 'subscription', async (contextValue) =>
      execute({ ...args, rootValue: span, contextValue }),
    );
  };

  async function* answers(
    subscriber: Subscriber,
    args: ExecutionArgs,
    start: LogMoment,
    signal: AbortSignal,
  ) {
    const spanOf = spans();
    try {
      for (let from = start; isReady(); ) {
        const until = await poller.next(signal);
        if (!until || !isReady()) return;
        const span = spanOf(from, until);
        do {
          const result = await answerOf(subscriber, args, span, signal);
          if (hasEvents(result)) yield result;
          if (result.errors) return;
        } while (span.hasMore && !signal.aborted);
        from = until;
      }
    } catch (error) {
      if (!signal.aborted) yield asResult(error);
    }
  }

  /**
   * Starts a subscription. The operation is first executed with an empty part of the log, so that errors in it are
   * found before the stream starts.
   * @throws TooManyRequests, Unavailable
   */
  return async (subscriber: Subscriber, args: ExecutionArgs): Promise<Answers | ExecutionResult> => {
    const { user, response } = subscriber.caller;
    if (!isReady()) throw new Unavailable('The server is starting or stopping.');
    const leave = takePlace(user.id);
    const ended = new AbortController();
    const end = (): void => {
      if (ended.signal.aborted) return;
      ended.abort();
      leave();
      poller.unsubscribe();
    };
    try {
      const start = await poller.subscribe();
      const first = await answerOf(subscriber, args, spans()(start, start), ended.signal);
      if (response?.closed || first.errors) {
        end();
        return first;
      }
      response?.once('close', end);
      const found = answers(subscriber, args, start, ended.signal);
      const finish = (result: IteratorResult<ExecutionResult>) => {
        if (result.done) end();
        return result;
      };
      const stream: Answers = {
        next: () => found.next().then(finish),
        return: () => {
          end(); // This aborts the generator's wait, so that the generator can return.
          return found.return(undefined);
        },
        [Symbol.asyncIterator]: () => stream,
      };
      return stream;
    } catch (error) {
      end();
      throw translateDatabaseError(error);
    }
  };
}
