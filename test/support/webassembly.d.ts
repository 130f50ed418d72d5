/**
 * The part of the WebAssembly API that tests use. TypeScript declares this API only as part of the types for browsers.
 */
declare namespace WebAssembly {
  function instantiate(
    bytes: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
