import type { Converted, Source } from './converter.ts';
import { converterNamed } from './index.ts';

// A process that converts one file after the other. It has no secrets and no database, and ends with its
// parent.

export interface Order extends Source {
  readonly converter: string;
}

export type Outcome = { readonly converted: Converted } | { readonly fault: string };

const work = ({ converter, ...source }: Order): Promise<Outcome> =>
  converterNamed(converter)
    .convert(source)
    .then(
      (converted) => ({ converted }),
      (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
    );

process.on('message', (order: Order) => {
  void work(order).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());
