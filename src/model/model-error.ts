/** One thing that is wrong with the content model. */
export interface Fault {
  /** The file that contributes it; absent for the stock model. */
  readonly file?: string;
  /** Where it is: `types.Invoice.schemas[1]`, or `schemas[0].fields.amount.type` inside a file. */
  readonly place: string;
  readonly fault: string;
}

/** Thrown when the content model cannot be built; the message has a line for each fault. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly faults: readonly Fault[];
  /** Place and fault of the first one. */
  readonly place: string;
  readonly fault: string;

  constructor(first: Fault, ...others: Fault[]) {
    const faults = [first, ...others];
    super(faults.map(line).join('\n'));
    this.faults = faults;
    this.place = first.place;
    this.fault = first.fault;
  }
}

function line({ file, place, fault }: Fault): string {
  return [file, place, fault].filter((part) => part !== undefined && part !== '').join(': ');
}

/** Why something could not be read, on one line. */
export function reasonOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error).replaceAll('\n', ' ');
}
