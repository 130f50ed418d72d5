import { answerTooLarge, bytesText, TooLarge, Unavailable } from '../errors.ts';
import type { Statement } from './statement.ts';

/** Bytes that every request reads without asking, and the unit in which it takes more. */
const step = 2 ** 18;

/**
 * Where all rows become part of the answer: how many times as long they may be as the answer, since PostgreSQL
 * writes JSON with blanks; and which part of the answer they fill at most, since it names empty properties, too.
 */
const ofAnswer = { rows: 2, entries: 0.8 };

/** Milliseconds that a request waits in all for memory that others hold. */
const maxWait = 1_000;

/**
 * Statements with so many bytes of rows take turns, one of a user at a time: the database takes some 10 ms of CPU
 * time for each megabyte, this process takes 5 ms, and other users need a CPU and connections, too. A request waits for so many milliseconds, without a
 * connection.
 */
const largeReads = { bytes: 4 * step, ofUser: 1, maxWait: 10_000 };

/** Another request holds the memory that a statement needs. Outside of a transaction it is sent again. */
export class MemoryExhausted extends Unavailable {
  constructor() {
    super('The server has no memory left for the rows that this request reads; try again soon.');
  }
}

/** Other requests of the user read as many rows as one user can read at a time. The statement is sent again. */
export class LargeReadsUnderWay extends Unavailable {
  constructor() {
    super('Too many large reads of this user are under way; try again soon.');
  }
}

/** The rows of one request are more than its user may hold in memory. */
export class RowsTooLarge extends TooLarge {
  /** @param rows how many rows of the statement fitted. */
  constructor(share: number, rows: number) {
    const advice =
      rows > 0
        ? `Ask for fewer entries, such as pageSize=${rows}, or for fewer enrichers.`
        : 'Ask for fewer entries or enrichers.';
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
 * The memory of a process for rows of the database that requests have read and not answered yet. It counts the
 * bytes that PostgreSQL sends: as objects and as an answer the rows need several times as much.
 */
export class MemoryBudget {
  /** Bytes that one user may hold. */
  readonly share: number;
  readonly #bytes: number;
  readonly #observe: Observer;
  readonly #ofUsers = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** Large reads under way, by user. */
  readonly #reads = new Map<string, number>();
  readonly #waitingReads: { readonly user: string; readonly begin: () => void }[] = [];
  #held = 0;

  constructor(bytes: number, observe: Observer) {
    this.#bytes = bytes;
    this.share = Math.floor(bytes / 2);
    this.#observe = observe;
  }

  /** Bytes that requests hold at present. */
  get held(): number {
    return this.#held;
  }

  /** Begins to count the rows of a request. Whoever begins must call `release`. */
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

  // A request that holds memory already may pass those that wait: it is the one that will release some.
  #isBehindOthers({ user, held }: RequestMemory): boolean {
    if (held > 0) return false;
    return this.#waiting.some(
      (other) => other.memory.user === user || !this.#isOverShare(other.memory.user, other.bytes),
    );
  }

  /** Takes bytes if they are free. */
  take(memory: RequestMemory, bytes: number): boolean {
    const { user } = memory;
    if (this.#isOverShare(user, bytes) || this.#held + bytes > this.#bytes) return false;
    if (this.#isBehindOthers(memory)) return false;
    this.#add(user, bytes);
    return true;
  }

  /**
   * Takes bytes as soon as they are free, first come first served; a user at the limit does not delay others.
   * @throws MemoryExhausted when the time is over.
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
        this.#admit(); // it may have stood in front of others
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

  /** Begins a large read. @returns false where as many of the user are under way as can be. */
  beginRead(user: string): boolean {
    const reads = this.#reads.get(user) ?? 0;
    if (reads >= largeReads.ofUser) return false;
    this.#reads.set(user, reads + 1);
    return true;
  }

  /** Begins a large read in turn. @throws LargeReadsUnderWay when the time is over. */
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

  /** Hands the turn of a large read on to the next request of the user. */
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

/** The bytes that must be held for so many that were read. */
const toHold = (read: number): number => (read <= step ? 0 : Math.ceil(read / step) * step);

/** The rows that one request has read. */
export class RequestMemory {
  readonly user: string;
  readonly #budget: MemoryBudget;
  #read = 0;
  #held = 0;
  #waitEnd: number | undefined;
  #answerLimit: number | undefined;
  #fitting: number | undefined;
  /** Statements of the large read that has its turn. */
  #reading = 0;

  constructor(budget: MemoryBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  /** Bytes of the budget that this request holds. */
  get held(): number {
    return this.#held;
  }

  /** All rows become part of an answer of so many bytes: reading ends where they are certainly too many. */
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

  /** Takes part in the large read of this request, which begins with its first statement. */
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
    if (this.#reading > 0) this.#budget.endRead(this.user); // another statement has waited, too
    this.#reading += 1;
  }

  /**
   * Sends a statement whose rows are counted. Where others hold the memory that it needs, or other large reads of the
   * user are under way, it is sent again when its turn comes: meanwhile the request holds no connection.
   * @param given in a transaction it cannot be sent again, and fails at once where others hold the memory; one that
   *   `isLarge` waits for its turn before it is sent.
   * @throws MemoryExhausted, LargeReadsUnderWay when the request has waited for too long.
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

  /** Counts the bytes of a row of a statement. @returns the error with which the statement must end. */
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
   * Waits until a statement can be sent again that has read so many bytes in vain. They are free meanwhile, and
   * it gets as many as it can need at most where that is known, else twice as many.
   * @throws MemoryExhausted when the request has waited for a second in all.
   */
  async wait(bytes: number): Promise<void> {
    this.shrink(this.#read);
    const most =
      this.#answerLimit === undefined ? Number.POSITIVE_INFINITY : this.#answerLimit * ofAnswer.rows;
    const wanted = Math.min(toHold(Math.min(this.#read + 2 * bytes, most)), this.#budget.share);
    const missing = wanted - this.#held;
    if (missing <= 0) return;
    this.#waitEnd ??= performance.now() + maxWait;
    await this.#budget.wait(this, missing, Math.max(0, this.#waitEnd - performance.now()));
    this.#held += missing;
  }

  /** The rows that were read are not used any more; what is held serves for the next ones. */
  forget(): void {
    this.#read = 0;
  }

  /** The request is answered with so many bytes, which are all that it still needs. */
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
