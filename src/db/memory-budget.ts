import { answerTooLarge, bytesText, TooLarge, Unavailable } from '../errors.ts';
import type { Statement } from './statement.ts';

/** The bytes that every request can read without taking any from the budget, and the unit in which it takes more. */
const step = 2 ** 18;

/**
 * How the bytes of rows relate to the limit of an answer that contains all of them. Rows can have up to twice as many
 * bytes as the answer, since PostgreSQL writes JSON with blanks. A page whose rows fit into 0.8 of the limit fits into
 * the answer, which also names properties without a value.
 */
const ofAnswer = { rows: 2, entries: 0.8 };

/** How long a request waits in total for memory that others hold, in milliseconds. */
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
    super('The server has no memory left for the rows that this request reads. Try again soon.');
  }
}

/** Other requests of the user read as many rows as one user can read at a time. The statement is sent again. */
export class LargeReadsUnderWay extends Unavailable {
  constructor() {
    super('Too many large reads of this user are running. Try again soon.');
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
 * Bounds the memory of a process for rows that requests have read from the database and not answered yet.
 *
 * It counts the bytes that PostgreSQL sends; as objects and in the answer, the rows need several times as much. A request
 * takes bytes before a row is parsed, and releases them when its answer is shorter or sent. A statement that finds no
 * free memory ends, and is sent again when memory is free, so a waiting request holds no connection. One user can hold
 * half of the budget, so a single user cannot make all others wait. Without this bound, a few large pages at the same
 * time would exhaust the heap and end the process.
 */
export class MemoryBudget {
  /** The bytes that one user can hold. */
  readonly share: number;
  readonly #bytes: number;
  readonly #observe: Observer;
  readonly #ofUsers = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** The number of running large reads of each user. */
  readonly #reads = new Map<string, number>();
  readonly #waitingReads: { readonly user: string; readonly begin: () => void }[] = [];
  #held = 0;

  constructor(bytes: number, observe: Observer) {
    this.#bytes = bytes;
    this.share = Math.floor(bytes / 2);
    this.#observe = observe;
  }

  /** The bytes that all requests hold at present. */
  get held(): number {
    return this.#held;
  }

  /** Begins to count the rows of a request. The caller must call `release` at its end. */
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

  // A request that already holds memory passes the waiting ones, because it releases its memory when it can go on.
  #isBehindOthers({ user, held }: RequestMemory): boolean {
    if (held > 0) return false;
    return this.#waiting.some(
      (other) => other.memory.user === user || !this.#isOverShare(other.memory.user, other.bytes),
    );
  }

  /** Takes bytes for a request. @returns false if they are not free */
  take(memory: RequestMemory, bytes: number): boolean {
    const { user } = memory;
    if (this.#isOverShare(user, bytes) || this.#held + bytes > this.#bytes) return false;
    if (this.#isBehindOthers(memory)) return false;
    this.#add(user, bytes);
    return true;
  }

  /**
   * Takes bytes as soon as they are free, in the order of arrival. A user at the limit does not delay others.
   * @throws MemoryExhausted after the given time
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
        this.#admit(); // others behind this request can fit now
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

  /** Begins a large read. @returns false if as many of the user are running as one user can have */
  beginRead(user: string): boolean {
    const reads = this.#reads.get(user) ?? 0;
    if (reads >= largeReads.ofUser) return false;
    this.#reads.set(user, reads + 1);
    return true;
  }

  /** Begins a large read when it is its turn. @throws LargeReadsUnderWay after the maximum waiting time */
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

  /** Ends a large read and passes its turn to the next request of the user. */
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

/** The bytes of the budget that a request must hold to have read a number of bytes. */
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
  /** The number of running statements in the request's large read. */
  #reading = 0;

  constructor(budget: MemoryBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  /** The bytes of the budget that this request holds. */
  get held(): number {
    return this.#held;
  }

  /** Ends reading when the rows, all of which become part of the answer, certainly exceed its limit in bytes. */
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

  /** Adds a statement to the large read of this request, and begins one if there is none. */
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
    if (this.#reading > 0) this.#budget.endRead(this.user); // another statement of the request also waited and got a turn
    this.#reading += 1;
  }

  /**
   * Sends a statement and counts its rows. If other requests hold the memory that it needs, or if other large reads of the
   * user are running, the statement is ended and sent again when its turn comes. Meanwhile the request holds no
   * connection. In a transaction, a statement cannot be sent again and fails at once. A statement with `isLarge` waits
   * for its turn before it is sent for the first time.
   * @param send sends the statement and calls `received` before each row is parsed; an error from it ends the statement.
   * @throws MemoryExhausted, LargeReadsUnderWay when the request has waited for too long
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

  /** Counts the bytes of a row. @returns the error with which the statement must end, if any */
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
   * Waits until a statement that was ended after some bytes can be sent again. Its bytes are released meanwhile. It then
   * gets the maxNeeded that it can need if the answer has a limit, otherwise twice as many bytes as before.
   * @throws MemoryExhausted when the request has waited for a second in total
   */
  async wait(bytes: number): Promise<void> {
    this.shrink(this.#read);
    const maxNeeded =
      this.#answerLimit === undefined ? Number.POSITIVE_INFINITY : this.#answerLimit * ofAnswer.rows;
    const wanted = Math.min(toHold(Math.min(this.#read + 2 * bytes, maxNeeded)), this.#budget.share);
    const missing = wanted - this.#held;
    if (missing <= 0) return;
    this.#waitEnd ??= performance.now() + maxWait;
    await this.#budget.wait(this, missing, Math.max(0, this.#waitEnd - performance.now()));
    this.#held += missing;
  }

  /** Forgets the rows that were read. The memory that the request holds is used for the next ones. */
  forget(): void {
    this.#read = 0;
  }

  /** Releases all memory but that for the given bytes, usually those of the answer. */
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
