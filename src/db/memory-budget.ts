import { answerTooLarge, bytesText, TooLarge, Unavailable } from '../errors.ts';
import type { Statement } from './statement.ts';

/**
 * The number of bytes that every request can read without using the budget. A request that reads more takes memory from
 * the budget in steps of this size.
 */
const step = 2 ** 18;

/**
 * The size limits of rows, as multiples of the size limit of the response that contains them. The rows can be up to
 * twice as large as the response, because PostgreSQL writes JSON with spaces. If the rows of a page take up at most 0.8
 * of the limit, the response fits as well, even though it also lists properties without a value.
 */
const ofAnswer = { rows: 2, entries: 0.8 };

/** The total time that a request waits for memory held by others, in milliseconds. */
const maxWait = 1_000;

/**
 * Limits for statements that read more than `bytes` bytes of rows. Each user can run only `ofUser` of them at a time,
 * because each megabyte takes about 10 ms of CPU time in the database and 5 ms in this process, and other users need
 * CPU time and connections, too. A request waits for its turn for up to `maxWait` milliseconds, without holding a
 * connection.
 */
const largeReads = { bytes: 4 * step, ofUser: 1, maxWait: 10_000 };

/**
 * Thrown when other requests hold the memory that a statement needs. Outside of a transaction, the statement is then
 * retried.
 */
export class MemoryExhausted extends Unavailable {
  constructor() {
    super(
      'The server does not have enough free memory for the rows that this request reads. Try again soon.',
    );
  }
}

/**
 * Thrown when the user's other requests are already performing the maximum number of large reads. The statement is then
 * retried.
 */
export class LargeReadsUnderWay extends Unavailable {
  constructor() {
    super('You have too many large reads in progress. Try again soon.');
  }
}

/** Thrown when the rows of one request need more memory than a single user can hold. */
export class RowsTooLarge extends TooLarge {
  /** @param rows the number of the statement's rows that fit into the memory */
  constructor(share: number, rows: number) {
    const advice =
      rows > 0
        ? `Request fewer entries, such as pageSize=${rows}, or fewer enrichers.`
        : 'Request fewer entries or enrichers.';
    super(`This request would read more than ${bytesText(share)} from the database. ${advice}`);
  }
}

interface Waiting {
  readonly memory: RequestMemory;
  readonly bytes: number;
  readonly begin: () => void;
}

interface Observer {
  readonly onWaited: (seconds: number) => void;
  readonly onRefused: () => void;
}

/**
 * Bounds the memory that a process uses for rows that requests have read from the database but not sent to the client
 * yet.
 *
 * It counts the bytes that PostgreSQL sends. The rows take up several times as much memory once they have been parsed,
 * and again as part of the response. A request takes bytes from the budget before a row is parsed, and releases them
 * when its response turns out to be shorter or has been sent. If no memory is free, a statement is aborted, and retried
 * when memory becomes free, so a waiting request holds no connection. One user can hold half of the budget, so a single
 * user cannot make all others wait. Without this bound, a few large pages read at the same time would exhaust the heap
 * and crash the process.
 */
export class MemoryBudget {
  /** The maximum number of bytes that one user can hold. */
  readonly share: number;
  readonly #bytes: number;
  readonly #observe: Observer;
  readonly #ofUsers = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** The number of large reads in progress, by user. */
  readonly #reads = new Map<string, number>();
  readonly #waitingReads: { readonly user: string; readonly begin: () => void }[] = [];
  #held = 0;

  constructor(bytes: number, observe: Observer) {
    this.#bytes = bytes;
    this.share = Math.floor(bytes / 2);
    this.#observe = observe;
  }

  /** The number of bytes currently held by all requests. */
  get held(): number {
    return this.#held;
  }

  /** Starts counting the rows of a request. The caller must call `release` when the request ends. */
  open(user: string): RequestMemory {
    return new RequestMemory(this, user);
  }

  #isOverShare(user: string, bytes: number): boolean {
    return (this.#ofUsers.get(user) ?? 0) + bytes > this.share;
  }

  #add(user: string, bytes: number): void {
    this.#held += bytes;
    const ofUser = (this.#ofUsers.get(user) ?? 0) + bytes;
    if (ofUser > 0) this.#ofUsers.set(user, ofUser);
    else this.#ofUsers.delete(user);
  }

  // A request that already holds memory goes ahead of other waiting requests, because it can finish and release that
  // memory only if it gets the rest.
  #isBehindOthers({ user, held }: RequestMemory): boolean {
    if (held > 0) return false;
    return this.#waiting.some(
      (other) => other.memory.user === user || !this.#isOverShare(other.memory.user, other.bytes),
    );
  }

  /**
   * Takes bytes for a request.
   * @returns false if not enough bytes are free
   */
  take(memory: RequestMemory, bytes: number): boolean {
    const { user } = memory;
    if (this.#isOverShare(user, bytes) || this.#held + bytes > this.#bytes) return false;
    if (this.#isBehindOthers(memory)) return false;
    this.#add(user, bytes);
    return true;
  }

  /**
   * Takes bytes as soon as they are free, in order of arrival. A user who has reached the limit does not delay others.
   * @throws MemoryExhausted if the bytes do not become free within the given time
   */
  wait(memory: RequestMemory, bytes: number, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        clearTimeout(timer);
        this.#observe.onWaited((performance.now() - since) / 1000);
      };
      const giveUp = (): void => {
        end();
        this.#observe.onRefused();
        reject(new MemoryExhausted());
        this.#admit(); // the next requests in the queue may be smaller and fit now
      };
      const begin = (): void => {
        end();
        this.#add(memory.user, bytes);
        resolve();
      };
      const entry: Waiting = { memory, bytes, begin };
      const timer = setTimeout(giveUp, milliseconds);
      this.#waiting.push(entry);
      this.#admit();
    });
  }

  /**
   * Starts a large read.
   * @returns false if the user already has the maximum number of large reads in progress
   */
  beginRead(user: string): boolean {
    const reads = this.#reads.get(user) ?? 0;
    if (reads >= largeReads.ofUser) return false;
    this.#reads.set(user, reads + 1);
    return true;
  }

  /**
   * Waits for the user's turn and starts a large read.
   * @throws LargeReadsUnderWay after the maximum waiting time
   */
  waitForRead(user: string): Promise<void> {
    if (this.beginRead(user)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (): void => {
        this.#waitingReads.splice(this.#waitingReads.indexOf(entry), 1);
        clearTimeout(timer);
        this.#observe.onWaited((performance.now() - since) / 1000);
      };
      const entry = {
        user,
        begin: () => {
          end();
          resolve();
        },
      };
      const timer = setTimeout(() => {
        end();
        this.#observe.onRefused();
        reject(new LargeReadsUnderWay());
      }, largeReads.maxWait);
      this.#waitingReads.push(entry);
    });
  }

  /** Ends a large read and passes the turn to the user's next waiting request. */
  endRead(user: string): void {
    const next = this.#waitingReads.find((other) => other.user === user);
    const reads = (this.#reads.get(user) ?? 0) - 1;
    if (next) next.begin();
    else if (reads > 0) this.#reads.set(user, reads);
    else this.#reads.delete(user);
  }

  release({ user }: RequestMemory, bytes: number): void {
    if (bytes === 0) return;
    this.#add(user, -bytes);
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting.find(({ memory, bytes }) => !this.#isOverShare(memory.user, bytes));
      if (!next || this.#held + next.bytes > this.#bytes) return;
      next.begin();
    }
  }
}

/** The number of bytes of the budget that a request must hold once it has read the given number of bytes. */
const toHold = (read: number): number => (read <= step ? 0 : Math.ceil(read / step) * step);

/** Counts the rows that one request has read. */
export class RequestMemory {
  readonly user: string;
  readonly #budget: MemoryBudget;
  #read = 0;
  #held = 0;
  #waitEnd: number | undefined;
  #answerLimit: number | undefined;
  #fitting: number | undefined;
  /** The number of this request's statements that are currently part of its large read. */
  #reading = 0;

  constructor(budget: MemoryBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  /** The number of bytes of the budget that this request holds. */
  get held(): number {
    return this.#held;
  }

  /**
   * Sets the response limit in bytes. All rows become part of the response, so reading ends as soon as they are certain
   * to exceed this limit.
   */
  limitTo(answerLimit: number): void {
    this.#answerLimit = answerLimit;
  }

  #answerFault(bytes: number, rows: number): TooLarge | undefined {
    const limit = this.#answerLimit;
    if (limit === undefined) return undefined;
    const read = this.#read + bytes;
    if (read > limit * ofAnswer.entries) this.#fitting ??= rows;
    return read > limit * ofAnswer.rows ? answerTooLarge(limit, this.#fitting ?? 0) : undefined;
  }

  /**
   * Adds a statement to this request's large read. Starts the large read if it has not started yet.
   * @returns false if the user already has the maximum number of large reads in progress
   */
  #joinRead(): boolean {
    if (this.#reading === 0 && !this.#budget.beginRead(this.user)) return false;
    this.#reading += 1;
    return true;
  }

  #leaveRead(): void {
    this.#reading -= 1;
    if (this.#reading === 0) this.#budget.endRead(this.user);
  }

  async #waitForRead(): Promise<void> {
    if (this.#joinRead()) return;
    await this.#budget.waitForRead(this.user);
    // Another statement of this request was given a turn while this one was waiting, so this turn is given back.
    if (this.#reading > 0) this.#budget.endRead(this.user);
    this.#reading += 1;
  }

  /**
   * Sends a statement and counts its rows. If other requests hold the memory that it needs, or if other large reads of
   * the user are in progress, the statement is aborted, and retried when its turn comes. While it is waiting, the
   * request holds no connection. Inside a transaction, a statement cannot be retried and fails immediately. A statement
   * marked `isLarge` waits for its turn before it is sent for the first time.
   * @param send sends the statement and calls `received` before each row is parsed; if `received` returns an error, the
   * statement ends with it
   * @throws MemoryExhausted, LargeReadsUnderWay if the request has waited for too long
   */
  async read<Rows>(
    { isInTransaction, isLarge: isKnown }: { readonly isInTransaction: boolean } & Pick<Statement, 'isLarge'>,
    send: (received: NonNullable<Statement['received']>) => Promise<Rows>,
  ): Promise<Rows> {
    for (let isLarge = isKnown === true && !isInTransaction; ; ) {
      if (isLarge) await this.#waitForRead();
      let [isReading, read, refused] = [isLarge, 0, 0];
      const received = (bytes: number, rows: number): Error | undefined => {
        if (!isReading && !isInTransaction && read + bytes > largeReads.bytes) {
          isLarge = true;
          isReading = this.#joinRead();
          if (!isReading) return new LargeReadsUnderWay();
        }
        const fault = this.add(bytes, rows);
        if (fault) refused = bytes;
        else read += bytes;
        return fault;
      };
      try {
        return await send(received);
      } catch (error) {
        this.#read -= read;
        const isRepeated = error instanceof MemoryExhausted || error instanceof LargeReadsUnderWay;
        if (isInTransaction || !isRepeated) throw error;
      } finally {
        if (isReading) this.#leaveRead();
      }
      if (refused > 0) await this.wait(read + refused);
    }
  }

  /**
   * Counts the bytes of a row.
   * @returns the error with which the statement must end, if any
   */
  add(bytes: number, rows: number): MemoryExhausted | TooLarge | undefined {
    const fault = this.#answerFault(bytes, rows);
    if (fault) return fault;
    const needed = toHold(this.#read + bytes);
    if (needed > this.#held) {
      if (needed > this.#budget.share) return new RowsTooLarge(this.#budget.share, rows);
      if (!this.#budget.take(this, needed - this.#held)) return new MemoryExhausted();
      this.#held = needed;
    }
    this.#read += bytes;
    return undefined;
  }

  /**
   * Waits until a statement that was aborted after the given number of bytes can be retried. Its bytes are released
   * during the wait. The retried statement gets twice as many bytes as before, but no more than a response of the
   * maximum size requires.
   * @throws MemoryExhausted if the request has waited for a second in total
   */
  async wait(bytes: number): Promise<void> {
    this.shrink(this.#read);
    const maxNeeded =
      this.#answerLimit === undefined ? Number.POSITIVE_INFINITY : this.#answerLimit * ofAnswer.rows;
    const needed = Math.min(toHold(Math.min(this.#read + 2 * bytes, maxNeeded)), this.#budget.share);
    const missing = needed - this.#held;
    if (missing <= 0) return;
    this.#waitEnd ??= performance.now() + maxWait;
    await this.#budget.wait(this, missing, Math.max(0, this.#waitEnd - performance.now()));
    this.#held += missing;
  }

  /** Forgets the rows that were read. The request keeps its memory and uses it for the next rows. */
  forget(): void {
    this.#read = 0;
  }

  /** Releases all memory beyond the given number of bytes, which is usually the size of the response. */
  shrink(bytes: number): void {
    const needed = Math.min(this.#held, toHold(bytes));
    this.#budget.release(this, this.#held - needed);
    this.#held = needed;
  }

  release(): void {
    this.#read = 0;
    this.shrink(0);
  }
}
