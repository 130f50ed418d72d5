/** A description, with what stands in backticks as code. */
export const Says = ({ text }: { readonly text: string }) => (
  <p>
    {text.split('`').map((part, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are in a fixed order
      at % 2 === 1 ? <code key={at}>{part}</code> : part,
    )}
  </p>
);
